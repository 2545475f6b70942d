#!/bin/sh
# The Action's installation: the binary of the release that the Action is used from, where its checksum is right; else
# cargo builds the Action's own source.
set -u

bin=$RUNNER_TEMP/terraschema/bin
releases=https://github.com/terraschema/terraschema/releases/download

target() {
  case $RUNNER_OS-$RUNNER_ARCH in
    Linux-X64) echo x86_64-unknown-linux-musl ;;
    Linux-ARM64) echo aarch64-unknown-linux-musl ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    *) return 1 ;;
  esac
}

download() {
  name=terraschema-$(target) || return 1
  archive=$name.tar.gz
  cd "$RUNNER_TEMP" || return 1
  for file in "$archive" "$archive.sha256"; do
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$releases/$1/$file" || return 1
  done
  if command -v sha256sum >/dev/null; then sha256sum -c "$archive.sha256"; else shasum -a 256 -c "$archive.sha256"; fi || return 1
  mkdir -p "$bin" && tar -xzf "$archive" && mv "$name/terraschema" "$bin/terraschema"
}

# The runner keeps an action in a directory that is called as its tag.
tag=$(basename "$GITHUB_ACTION_PATH")
case $tag in
  v[0-9]*.[0-9]*.[0-9]*)
    if (download "$tag"); then exit 0; fi
    echo "terraschema: no binary of $tag for this runner; building it" >&2
    ;;
esac
exec cargo install --quiet --locked --bin terraschema --path "$GITHUB_ACTION_PATH" --root "$RUNNER_TEMP/terraschema"
