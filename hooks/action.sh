#!/bin/sh
# The Action's check: inputs come in TERRASCHEMA_* variables, annotations and the log go to standard
# output, everything else to the files that the runner names.
set -u

log=$RUNNER_TEMP/terraschema.log
messages=$RUNNER_TEMP/terraschema.messages
: >"$log"
: >"$log.compat"

changed=$TERRASCHEMA_CHANGED config=$TERRASCHEMA_CONFIG paths=$TERRASCHEMA_PATHS
set -- check --force-exclude --format github "--fail-on=$TERRASCHEMA_FAIL_ON" \
  --output "human=$log" --output "github-output=$GITHUB_OUTPUT"
[ "$TERRASCHEMA_SUMMARY" = false ] || set -- "$@" --output "markdown=$GITHUB_STEP_SUMMARY"
[ -z "$config" ] || set -- "$@" "--config=$config"
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

# Standard output is annotations alone, whose text is escaped. The runner takes commands from standard
# error, too, so that has to wait.
PATH=$RUNNER_TEMP/terraschema/bin:$PATH
code=0
"${TERRASCHEMA_BINARY:-terraschema}" "$@" 2>"$messages" || code=$?

compat=${TERRASCHEMA_COMPAT:-}
if [ -n "$compat" ] && [ "$compat" != false ]; then
  set -- compat --format github --output "human=$log.compat"
  [ "$TERRASCHEMA_SUMMARY" = false ] || set -- "$@" --output "markdown=$GITHUB_STEP_SUMMARY"
  [ -z "$config" ] || set -- "$@" "--config=$config"
  [ "$compat" = true ] || set -- "$@" "--base=$compat"
  "${TERRASCHEMA_BINARY:-terraschema}" "$@" 2>>"$messages" || {
    found=$?
    [ "$found" -le "$code" ] || code=$found
  }
  cat "$log.compat" >>"$log"
fi

# The log quotes what others wrote: the runner must take no line of it for a command until it reads the
# token. That is 128 bits of the system's random numbers, drawn when the log is complete, so that
# nothing in the log can know it. Without random numbers there is no log.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
case $token in
  *[!0-9a-f]*) token= ;;
esac
if [ "${#token}" -ne 32 ]; then
  echo '::error title=terraschema::The log is not shown: the system gives no random numbers to fence it with.'
  code=2
else
  echo "::stop-commands::$token"
  cat "$messages" "$log"
  # After a line that does not end the token would stand inside of that line.
  echo
  echo "::$token::"
fi

echo "exit-code=$code" >>"$GITHUB_OUTPUT"
exit "$code"
