# shellcheck shell=bash disable=SC2154 # scratch is a variable of the tests
# lib.sh: a duel that writes down how it is called. Sourced from the top of the tree by tests/examples/*.sh.
. tests/cli/lib.sh
export XDG_DATA_HOME=$scratch/data
calls=$scratch/calls

# $scratch/fake ends with the status that the environment gives in fake_NAME (0 without) for `duel NAME`, and notes its
# words in $calls. A gate leaves a run behind, as the real one does.
cat >"$scratch/fake" <<FAKE
#!/usr/bin/env bash
echo "\$*" >>"$calls"
case "\$1 \$2" in
"baseline show") exit \${fake_show:-0} ;;
"baseline save") exit \${fake_save:-0} ;;
gate*)
    while [ \$# -gt 0 ]; do [ "\$1" = --out ] && mkdir -p "\$2" && echo '{}' >"\$2/run.jsonl"; shift; done
    echo "the verdict"
    exit \${fake_gate:-0}
    ;;
doctor*) exit \${fake_doctor:-0} ;;
import*) exit \${fake_import:-0} ;;
*) exit 99 ;;
esac
FAKE
chmod +x "$scratch/fake"
