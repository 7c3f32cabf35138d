#!/usr/bin/env bash
# scripts/setup against an apt-get, a sudo and an id that only write down what they were asked. Time limit: 180 s
cd "$(dirname "$0")/../.." && . tests/cli/lib.sh

calls=$scratch/calls
# Every program of this machine but five; the first folder of PATH wins, as it does for the shell.
mkdir "$scratch/others"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
    # A compiler cache looks for the compiler behind its own folder, which would not be there.
    [[ $(readlink -f "$folder/gcc") == */ccache ]] || ln -s -t "$scratch/others" "$folder"/* 2>/dev/null
done
rm -f "$scratch/others/"{apt-get,sudo,id,make,gnuplot}

# machine [make] [gnuplot]: a machine without these; its apt-get can install what $scratch/can names.
machine() {
    local tool real_make
    real_make=$(command -v make)
    rm -rf "${scratch:?}/bin" "$calls" && mkdir "$scratch/bin" && touch "$calls"
    for tool in make gnuplot; do
        [[ " $* " == *" $tool "* ]] || ! command -v $tool >/dev/null || ln -s "$(command -v $tool)" "$scratch/bin/"
    done
    cat >"$scratch/bin/apt-get" <<FAKE
#!/bin/bash
echo "apt-get \$* frontend=\$DEBIAN_FRONTEND" >>"$calls"
[[ " \$* " == *" update "* ]] && exec touch "$scratch/lists"
[ -e "$scratch/lists" ] || { echo "E: Unable to locate package" && exit 100; }
for word in "\$@"; do
    case \$word in
    build-essential | gnuplot-nox)
        [[ " \$(cat "$scratch/can") " == *" \$word "* ]] || { echo "E: no \$word" && exit 100; } ;;
    esac
    case \$word in
    build-essential) ln -sf "$real_make" "$scratch/bin/make" ;;
    gnuplot-nox) rm -f "$scratch/bin/gnuplot" && ln -s "$(type -P true)" "$scratch/bin/gnuplot" ;;
    esac
done
FAKE
    printf '#!/bin/bash\necho 0\n' >"$scratch/bin/id"
    chmod +x "$scratch/bin/apt-get" "$scratch/bin/id"
}
# setup ARGUMENT...: runs the script on that machine; $said and $status are what came of it.
setup() {
    said=$(PATH=$scratch/bin:$scratch/others scripts/setup "$@" 2>&1)
    status=$?
    asked=$(cat "$calls")
}
user() { # not root; with "sudo" also a sudo that works
    printf '#!/bin/bash\necho 1000\n' >"$scratch/bin/id"
    [ "${1:-}" = sudo ] || return
    # shellcheck disable=SC2016 # the fake's own arguments
    printf '#!/bin/bash\necho "sudo $1" >>"%s"\nexec "$@"\n' "$calls" >"$scratch/bin/sudo"
    chmod +x "$scratch/bin/sudo"
}

machine make gnuplot && rm -f "$scratch/lists" && echo 'build-essential gnuplot-nox' >"$scratch/can"
setup run
same "a machine without package lists is set up" 0 "$status"
same "it tries, fetches the lists once, and tries again" "install update install" \
    "$(grep -oE '^apt-get .*' <<<"$asked" | grep -oE ' (install|update)' | tr -d ' ' | paste -sd ' ')"
contains "apt-get never asks a question" "$asked" "install -y --no-install-recommends" "frontend=noninteractive"
contains "it asks for what is missing" "$asked" build-essential gnuplot-nox
check "and for nothing that is here" test -z "$(grep libjansson-dev <<<"$asked")"
: >"$calls"
setup run
same "the second time there is nothing to do" "0 " "$status $(grep -E 'build-essential|gnuplot' <<<"$asked")"

machine make gnuplot && touch "$scratch/lists" && echo 'build-essential' >"$scratch/can"
setup run
same "an optional package that cannot be had does not stop the others" 0 "$status"
contains "what its lack costs is said" "$said" "without gnuplot-nox: plots are written as data and scripts"

machine make && touch "$scratch/lists" && echo >"$scratch/can"
setup run
same "a required package that cannot be had fails" 1 "$status"
contains "the message names the package and what apt-get said" "$said" "build-essential is required" "E: no build"

machine make gnuplot && echo 'build-essential gnuplot-nox' >"$scratch/can"
setup --no-install run
same "--no-install fails when something required is missing" 1 "$status"
same "--no-install never calls apt-get" "" "$asked"
contains "--no-install names the packages" "$said" build-essential gnuplot-nox

machine gnuplot
setup --no-install run
same "--no-install succeeds when only something optional is missing" 0 "$status"

machine gnuplot && rm "$scratch/bin/apt-get"
setup run
same "without apt-get it goes on if what is required is here" 0 "$status"
contains "and names the packages in Debian's words" "$said" gnuplot-nox "Debian's names"
machine make && rm "$scratch/bin/apt-get"
setup run
same "without apt-get and without make it fails" 1 "$status"

machine make && touch "$scratch/lists" && echo build-essential >"$scratch/can" && user sudo
setup run
same "a user with sudo is set up" 0 "$status"
contains "through sudo" "$asked" "sudo env"
machine make && user
setup run
same "a user without sudo is told whom to ask for what" 1 "$status"
contains "with the command" "$said" "apt-get install" build-essential

done_testing
