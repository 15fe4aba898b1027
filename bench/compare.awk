# Reads the rows of bench/compare, then what was measured: a line a run and size,
# "ROW SIDE LINE_BEFORE LINE_AFTER {...}". Prints a line for each row, size and distance of the
# cores at which both sides were measured: the median over the runs of each side, with the least and
# the most of them, and the ratio of the medians.
# Cores are near while a cache line takes less than twice the shortest time seen, else far, and a
# run counts if they were so before and after it. Where the sides have no distance in common, or it
# was not measured (0), all runs count, and no time of a line is told; and in the first case nothing
# is said of the bound.

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
    match($0, /^[^{]*/)
    split(substr($0, 1, RLENGTH), head, " ")
    key = head[1] SUBSEP head[2] SUBSEP field("bytes")
    count = ++counts[key]
    times[key, count] = field("p50_us")
    before[key, count] = head[3]
    after[key, count] = head[4]
    nearest = least(least(nearest, head[3]), head[4])
    if ($0 ~ /"correct":false/) {
        wrong[key] = 1
    }
}

END {
    if (form == "markdown") {
        print "\n| work | bytes | line ns | Nexar us | peer us | ratio | at most | peer |"
        print "|---|---|---|---|---|---|---|---|"
    } else if (form != "json") {
        printf "\n%-22s %10s %6s %30s %30s %8s %8s  %s\n", "WORK", "BYTES", "LINE", "NEXAR us", \
            "PEER us", "RATIO", "AT MOST", "PEER"
    }
    for (i = 1; i <= rows; i++) {
        count = split(sizes[order[i]], bytes, ",")
        split(most[order[i]], limits, ",")
        for (j = 1; j <= count; j++) {
            rowsOf(order[i], bytes[j], limits[j])
        }
    }
}

# A line for each distance that both sides have, or else one of all runs.
function rowsOf(name, bytes, limit,    shownRows) {
    shownRows = row(name, bytes, limit, "near") + row(name, bytes, limit, "far")
    if (shownRows == 0) {
        row(name, bytes, limit, "")
    }
}

# Of the runs at that distance, "": of all. Returns how many lines it has printed.
function row(name, bytes, limit, cores,
    ourKey, peerKey, ourTimes, peerTimes, ours, theirs, lines, ratio, peer, format, differ, isMet) {
    ourKey = name SUBSEP "ours" SUBSEP bytes
    peerKey = name SUBSEP "peer" SUBSEP bytes
    ourTimes = sorted(ofRuns(times, ourKey, cores))
    peerTimes = sorted(ofRuns(times, peerKey, cores))
    ours = median(ourTimes)
    theirs = median(peerTimes)
    if (cores == "" ? ours == "" && theirs == "" : ours == "" || theirs == "") {
        return 0
    }
    if (cores != "") {
        lines = median(sorted(ofRuns(before, ourKey, cores) ofRuns(after, ourKey, cores) \
            ofRuns(before, peerKey, cores) ofRuns(after, peerKey, cores)))
    }
    ratio = ours == "" || theirs == "" || theirs == 0 ? "" : ours / theirs
    peer = named(peers[name])
    differ = cores == "" && isKnown(ourKey) && isKnown(peerKey)
    isMet = differ ? "null" : met(ratio, limit)
    if (ourKey in wrong) {
        peer = peer ", WRONG RESULT"
    }
    if (form == "json") {
        printf "{\"row\":\"%s\",\"bytes\":%s,\"line_ns\":%s,\"nexar_us\":%s,\"peer\":\"%s\"," \
            "\"peer_us\":%s,\"ratio\":%s,\"at_most\":%s,\"met\":%s," \
            "\"nexar_us_runs\":[%s],\"peer_us_runs\":[%s]}\n", name, bytes, \
            number(lines, "%.0f"), number(ours, "%.3f"), peer, number(theirs, "%.3f"), \
            number(ratio, "%.3f"), limit == "-" ? "null" : limit + 0, isMet, \
            ends(ourTimes, "%.3f,%.3f"), ends(peerTimes, "%.3f,%.3f")
    } else {
        format = form == "markdown" ? "| %s | %s | %s | %s | %s | %s | %s | %s |\n" : \
            "%-22s %10s %6s %30s %30s %8s %8s  %s\n"
        printf format, name, bytes, lines == "" ? "-" : sprintf("%.0f", lines), \
            shown(ours) ends(ourTimes, " (%.2f to %.2f)"), \
            shown(theirs) ends(peerTimes, " (%.2f to %.2f)"), shown(ratio), \
            limit == "-" ? "-" : sprintf("%.2f", limit), \
            peer (isMet == "false" ? " (over)" : "") (differ ? " (cores differ)" : "")
    }
    return 1
}

# What those of a key's runs have that were at that distance from beginning to end; "": all.
function ofRuns(values, key, cores,    i, chosen) {
    for (i = 1; i <= counts[key]; i++) {
        if (cores == "" || \
            (distance(before[key, i]) == cores && distance(after[key, i]) == cores)) {
            chosen = chosen " " values[key, i]
        }
    }
    return chosen
}

# Whether it is known how far apart the cores were in a run.
function isKnown(key,    i) {
    for (i = 1; i <= counts[key]; i++) {
        if (before[key, i] > 0 && after[key, i] > 0) {
            return 1
        }
    }
    return 0
}

function distance(line) {
    return line == 0 ? "" : (line < 2 * nearest ? "near" : "far")
}

# The less of two times that are known; 0 and "" are not.
function least(a, b) {
    return a == 0 || (b > 0 && b < a) ? b + 0 : a + 0
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

# The least and the most of sorted numbers, if there are several.
function ends(list, format,    values, count) {
    count = split(list, values, " ")
    return count < 2 ? "" : sprintf(format, values[1], values[count])
}

# Of sorted numbers.
function median(list,    values, count) {
    count = split(list, values, " ")
    if (count == 0) {
        return ""
    }
    return count % 2 ? values[(count + 1) / 2] + 0 : (values[count / 2] + values[count / 2 + 1]) / 2
}

function sorted(list,    values, count, i, j, value, all) {
    count = split(list, values, " ")
    for (i = 2; i <= count; i++) {
        value = values[i] + 0
        for (j = i - 1; j >= 1 && values[j] + 0 > value; j--) {
            values[j + 1] = values[j]
        }
        values[j + 1] = value
    }
    for (i = 1; i <= count; i++) {
        all = all " " values[i]
    }
    return all
}
