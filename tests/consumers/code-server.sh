#!/usr/bin/env bash
# Installs code-server, which is VS Code in a browser, into the current directory. The argument is the directory of a
# Node with its headers: two native modules are built for it. `bin` gets that Node with an npm that works: the
# package's own has lost its link.
set -euo pipefail
node=$1
export npm_config_nodedir=$node npm_config_audit=false npm_config_fund=false

mkdir -p bin
ln -sf "$node/bin/node" bin/node
for name in npm npx; do
  printf '#!/bin/sh\nexec "%s/bin/node" "%s/lib/node_modules/npm/bin/%s-cli.js" "$@"\n' \
    "$node" "$node" "$name" >"bin/$name"
  chmod +x "bin/$name"
done
export PATH="$PWD/bin:$PATH"

# Its own lock pins what it depends on.
npm install --prefix . --ignore-scripts code-server@4.139.1
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts
npm rebuild @vscode/spdlog @vscode/native-watchdog
