# Reads the rows of bench/compare, then what was measured: a line a run and size, "ROW SIDE {...}".
# Prints a line for each row and size: the median over the runs of each side, and their ratio.

BEGIN {
    FS = "|"
    names["mpi-shm"] = "Open MPI, shared memory"
    names["mpi-tcp"] = "Open MPI, plain TCP"
    names["nexar_peer"] = "nexar 0.1.2 (Rust)"
    names["gloo_peer"] = "Gloo (PyTorch)"
    names["pcj_peer"] = "PCJ 5.3.0"
}

# The first file: the rows.
NR == FNR {
    order[++rows] = $1
    sizes[$1] = $4
    peers[$1] = $5
    most[$1] = $6
    next
}

{
    match($0, /^[^ ]+ [^ ]+/)
    split(substr($0, 1, RLENGTH), head, " ")
    key = head[1] SUBSEP head[2] SUBSEP field("bytes")
    runs[key] = runs[key] " " field("p50_us")
    if ($0 ~ /"correct":false/) {
        wrong[key] = 1
    }
}

END {
    if (form == "markdown") {
        print "\n| work | bytes | Nexar us | peer us | ratio | at most | peer |"
        print "|---|---|---|---|---|---|---|"
    } else if (form != "json") {
        printf "\n%-22s %10s %12s %12s %8s %8s  %s\n", "WORK", "BYTES", "NEXAR us", "PEER us", \
            "RATIO", "AT MOST", "PEER"
    }
    for (i = 1; i <= rows; i++) {
        count = split(sizes[order[i]], bytes, ",")
        split(most[order[i]], limits, ",")
        for (j = 1; j <= count; j++) {
            row(order[i], bytes[j], limits[j])
        }
    }
}

function row(name, bytes, limit,    ours, theirs, ratio, peer, format) {
    ours = median(runs[name SUBSEP "ours" SUBSEP bytes])
    theirs = median(runs[name SUBSEP "peer" SUBSEP bytes])
    if (ours == "" && theirs == "") {
        return
    }
    ratio = ours == "" || theirs == "" || theirs == 0 ? "" : ours / theirs
    peer = named(peers[name])
    if (name SUBSEP "ours" SUBSEP bytes in wrong) {
        peer = peer ", WRONG RESULT"
    }
    if (form == "json") {
        printf "{\"row\":\"%s\",\"bytes\":%s,\"nexar_us\":%s,\"peer\":\"%s\",\"peer_us\":%s," \
            "\"ratio\":%s,\"at_most\":%s,\"met\":%s}\n", name, bytes, number(ours, "%.3f"), peer, \
            number(theirs, "%.3f"), number(ratio, "%.3f"), limit == "-" ? "null" : limit + 0, \
            met(ratio, limit)
    } else {
        format = form == "markdown" ? "| %s | %s | %s | %s | %s | %s | %s |\n" : \
            "%-22s %10s %12s %12s %8s %8s  %s\n"
        printf format, name, bytes, shown(ours), shown(theirs), shown(ratio), \
            limit == "-" ? "-" : sprintf("%.2f", limit), \
            peer (met(ratio, limit) == "false" ? " (over)" : "")
    }
}

function met(ratio, limit) {
    return ratio == "" || limit == "-" ? "null" : (ratio <= limit + 0 ? "true" : "false")
}

# A peer as people know it.
function named(peer,    parts) {
    split(peer, parts, " ")
    return parts[1] in names ? names[parts[1]] : "Nexar " substr(parts[1], 7)
}

function number(value, format) {
    return value == "" ? "null" : sprintf(format, value)
}

function shown(value) {
    return value == "" ? "-" : sprintf("%.2f", value)
}

# The number behind a key; every key stands once in a line.
function field(name,    at) {
    at = index($0, "\"" name "\":")
    return at == 0 ? 0 : substr($0, at + length(name) + 3) + 0
}

function median(list,    values, count, i, j, value) {
    count = split(list, values, " ")
    if (count == 0) {
        return ""
    }
    for (i = 2; i <= count; i++) {
        value = values[i] + 0
        for (j = i - 1; j >= 1 && values[j] + 0 > value; j--) {
            values[j + 1] = values[j]
        }
        values[j + 1] = value
    }
    return count % 2 ? values[(count + 1) / 2] + 0 : (values[count / 2] + values[count / 2 + 1]) / 2
}
