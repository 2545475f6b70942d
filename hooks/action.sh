#!/bin/sh
# The Action's check: inputs come in TERRASCHEMA_* variables, annotations and the log go to standard
# output, everything else to the files that the runner names.
set -u

log=$RUNNER_TEMP/terraschema.log
: >"$log"

changed=$TERRASCHEMA_CHANGED config=$TERRASCHEMA_CONFIG paths=$TERRASCHEMA_PATHS
set -- check --format github --fail-on "$TERRASCHEMA_FAIL_ON" \
  --output "human=$log" --output "github-output=$GITHUB_OUTPUT"
[ "$TERRASCHEMA_SUMMARY" = false ] || set -- "$@" --output "markdown=$GITHUB_STEP_SUMMARY"
[ -z "$config" ] || set -- "$@" --config "$config"
case $changed in
  '' | false) ;;
  true) set -- "$@" --changed ;;
  *) set -- "$@" "--changed=$changed" ;;
esac
set -- "$@" --
while IFS= read -r path; do
  [ -z "$path" ] || set -- "$@" "$path"
done <<PATHS
$paths
PATHS

PATH=$RUNNER_TEMP/terraschema/bin:$PATH
code=0
"${TERRASCHEMA_BINARY:-terraschema}" "$@" || code=$?

# The log quotes what others wrote: the runner must not take any of it for a command.
token=terraschema-$$-$(date +%s)
echo "::stop-commands::$token"
cat "$log"
echo "::$token::"

echo "exit-code=$code" >>"$GITHUB_OUTPUT"
exit "$code"
