# Signals process groups for the launcher, and outlives it: when the launcher's end of the pipe on
# standard input is closed, also by kill -9, it kills all that is left of the job.
#
# $1 is the job's mark, which every process of the job has in its environment as _NEXAR_JOB. Lines on
# standard input: "keep GROUP", "TERM GROUP", "KILL GROUP", "drop GROUP", "done". Plain POSIX shell.

trap '' HUP INT TERM
mark=$1
groups=
orderly=no

forget() {
    rest=
    for group in $groups; do
        [ "$group" = "$1" ] || rest="$rest $group"
    done
    groups=$rest
}

# Kills what left its group (a daemon in a session of its own) but carries the job's mark. Where there
# is no /proc it finds nothing.
sweep() {
    found=no
    for file in $(grep -lsF "_NEXAR_JOB=$mark" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        kill -s KILL "${pid%/environ}" && found=yes
    done
}

while read -r verb group; do
    case $verb in
        keep) groups="$groups $group" ;;
        # A process that has just been started may not have made its group yet.
        TERM | KILL) kill -s "$verb" -- "-$group" || kill -s "$verb" "$group" ;;
        drop)
            # At once after the exit of the group's leader: its number is not in use again so soon.
            kill -s KILL -- "-$group"
            forget "$group"
            ;;
        done) orderly=yes ;;
    esac
done

for group in $groups; do
    kill -s KILL -- "-$group"
done
sweep
if [ "$orderly" = no ]; then
    # The launcher died, perhaps while it was starting a rank: look again until three looks in a row
    # find nothing.
    quiet=0
    while [ "$quiet" -lt 3 ]; do
        sleep 0.1 || sleep 1
        sweep
        if [ "$found" = yes ]; then quiet=0; else quiet=$((quiet + 1)); fi
    done
fi
