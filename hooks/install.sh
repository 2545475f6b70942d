#!/bin/sh
# The Action's installation: the released binary where the Action's own source is that release, else cargo builds the
# source.
#
# Who uses the Action trusts the source that `uses` names, and nothing else. What each step keeps out:
#   - The source is a release only if `uses` names the tag vX.Y.Z, or the very commit that this tag is at, and the
#     version in the source is X.Y.Z. A branch, a fork or another commit has no release: its source is built.
#   - Who pins a commit is not led away by a tag that moves: another commit at the tag means that the source is built.
#   - An attestation says that the release's workflow made the archive, from the tag, and from the commit that the tag is
#     at. It keeps out an archive that somebody put in the place of the released one, with its checksum, and an archive
#     of an older release under a new name. One that does not verify is an error: building would hide it.
#   - Where none can be verified (no gh, one that is too old, no token, no network) the checksum counts, which stands
#     beside the archive and keeps out nothing but a broken download. The log says so.
set -u

repository=terraschema/terraschema
releases=https://github.com/$repository/releases/download
bin=$RUNNER_TEMP/terraschema/bin
action=$GITHUB_ACTION_PATH

# Nothing but gh gets the token, least of all what cargo builds.
token=${GH_TOKEN:-}
unset GH_TOKEN GITHUB_TOKEN

# Tools are not called in the repository that is checked: rustup takes a toolchain from its rust-toolchain.toml, git
# settings from its .git/config.
cd "$RUNNER_TEMP" || exit 2

say() {
  echo "terraschema: $1" >&2
}

# The runner keeps an action in _actions/OWNER/REPOSITORY/REF. (The variable for the ref is that of the calling workflow in
# some versions of the runner.)
ref() {
  case $action in
    */_actions/"$repository"/?*) echo "${action##*/_actions/"$repository"/}" ;;
    *) return 1 ;;
  esac
}

# The commit that a tag is at, also where the tag is an object of its own, whose commit is listed as TAG^{}. The names are
# compared, since git lists all that end alike.
commit_of() {
  git ls-remote "https://github.com/$repository" "refs/tags/$1" "refs/tags/$1^{}" |
    awk -v "tag=refs/tags/$1" '$2 == tag && !peeled { it = $1 } $2 == tag "^{}" { it = $1; peeled = 1 } END { print it }'
}

is_commit() {
  case $1 in
    *[!0-9a-f]*) return 1 ;;
  esac
  [ "${#1}" -eq 40 ]
}

target() {
  case ${RUNNER_OS:-}-${RUNNER_ARCH:-} in
    Linux-X64) echo x86_64-unknown-linux-musl ;;
    Linux-ARM64) echo aarch64-unknown-linux-musl ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    *) return 1 ;;
  esac
}

download() {
  for file in "$archive" "$archive.sha256"; do
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$releases/$tag/$file" || return 1
  done
  if command -v sha256sum >/dev/null; then sha256sum -c "$archive.sha256"; else shasum -a 256 -c "$archive.sha256"; fi
}

# Why no attestation can be verified here; nothing where one can.
obstacle() {
  if ! command -v gh >/dev/null; then
    echo 'there is no gh'
  elif [ -z "$token" ]; then
    echo 'gh has no token'
  elif ! is_commit "$commit"; then
    echo "it is not known which commit $tag is"
  elif ! gh attestation verify --help 2>/dev/null | grep -q -e --source-digest; then
    echo 'this gh is too old'
  elif ! GH_TOKEN=$token gh api --hostname github.com rate_limit >/dev/null 2>&1; then
    echo 'gh cannot reach github.com with its token'
  fi
}

verify() {
  GH_TOKEN=$token gh attestation verify "$archive" --hostname github.com --repo "$repository" \
    --signer-workflow "$repository/.github/workflows/release.yml" \
    --source-ref "refs/tags/$tag" --source-digest "$commit" --deny-self-hosted-runners >/dev/null
}

# The released binary; where there is none, and its source has to be built, the reason is in `why`.
install() {
  why='the Action is not used by a tag or commit of its own repository'
  ref=$(ref) || return 1
  version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$action/Cargo.toml" | head -n 1)
  tag=v$version
  why="there is no release for this runner"
  name=terraschema-$(target) || return 1
  archive=$name.tar.gz
  commit=$(commit_of "$tag")
  if [ "$ref" != "$tag" ]; then
    why="$ref is not the commit of $tag"
    is_commit "$ref" && [ "$ref" = "$commit" ] || return 1
  fi
  why="there is no archive of $tag whose checksum is right"
  download || return 1
  obstacle=$(obstacle)
  if [ -n "$obstacle" ]; then
    say "the attestation of $archive is not verified ($obstacle); its checksum is right"
  elif ! verify; then
    say "the attestation of $archive does not verify: it is not what the release of $tag made"
    exit 2
  else
    say "the attestation of $archive is verified: made from $commit"
  fi
  why="$archive does not unpack"
  mkdir -p "$bin" && tar -xzf "$archive" && mv "$name/terraschema" "$bin/terraschema"
}

if install; then exit 0; fi
say "$why; building it"
cd "$action" || exit 2
exec cargo install --quiet --locked --bin terraschema --path "$action" --root "$RUNNER_TEMP/terraschema"
