#!/bin/sh
# What the steps of the chaos rounds do: twenty lines in their log, and a line in a file outside of all machines when
# they begin and when they are done. `append-effect.sh <file> <step>`; each line is one write, so none is torn.
effect() {
  printf '%s %s %s %s %s\n' "$1" "$WEIR_RUN_ID" "$2" "$WEIR_IDEMPOTENCY_KEY" "$WEIR_FENCING_TOKEN" >>"$3"
}
effect begun "$2" "$1"
line=0
while [ "$line" -lt 20 ]; do
  echo "line $line"
  line=$((line + 1))
  [ $((line % 5)) -eq 0 ] && sleep 0.1
done
effect done "$2" "$1"
echo end
