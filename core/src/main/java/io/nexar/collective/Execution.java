package io.nexar.collective;

import io.nexar.CallDescription;
import io.nexar.collective.plan.Plan;
import io.nexar.reduce.Operands;
import io.nexar.wire.CallNote;

import org.jspecify.annotations.Nullable;

/**
 * One collective that is under way on this rank: its call, where its slots lie, and the slices in
 * flight. At most W slices run at once; slice j begins when slice j - W is over here. Pooled by the
 * engine, and guarded by the rank's progress lock like everything in it.
 */
final class Execution {
    private static final ExecutionListener NOBODY = (call, failure) -> {};

    private final EngineSettings settings;
    private final CollectiveCall call;
    private final Binding binding;
    private final @Nullable SliceRun[] runs;
    private final Operands operands = new Operands();
    private ExecutionListener listener;
    private @Nullable RuntimeException failure;
    private long fingerprint;
    private long stride;
    private long nextSlice;
    private long slicesLeft;
    private int pendingSends;
    private boolean isActive;

    /** Whose call, in which form, its memory is bound to; none once it is unbound. */
    private @Nullable CollectiveCall boundTo;

    private long boundRevision;
    private long bindingNumber;

    /**
     * @param bindingNumber from 1; each binding of an engine has its own
     */
    Execution(
            EngineSettings settings,
            CollectiveCall call,
            ExecutionListener listener,
            long bindingNumber) {
        this.settings = settings;
        this.call = new CollectiveCall().copyFrom(call);
        this.listener = listener;
        this.binding = new Binding(settings, call);
        this.runs = new @Nullable SliceRun[settings.piecesInFlight()];
        noteBinding(call, bindingNumber);
        prepare();
    }

    /** Takes up another call. */
    void bind(CollectiveCall newCall, ExecutionListener newListener, long newBindingNumber) {
        call.copyFrom(newCall);
        listener = newListener;
        binding.bind(newCall);
        noteBinding(newCall, newBindingNumber);
        prepare();
    }

    /** Whether this, which rested with that call, is bound to it as it is but for its number. */
    boolean isBoundTo(CollectiveCall restedWith) {
        return restedWith.revision() == boundRevision;
    }

    /** Takes up the call that it is bound to once more, with another number. */
    void repeat(CollectiveCall sameCall, ExecutionListener newListener) {
        call.numbered(sameCall.sequence()).callSite(sameCall.callSite());
        listener = newListener;
        prepare();
    }

    long bindingNumber() {
        return bindingNumber;
    }

    private void noteBinding(CollectiveCall newCall, long number) {
        boundTo = newCall;
        boundRevision = newCall.revision();
        bindingNumber = number;
        fingerprint = Fingerprint.of(call, settings);
        // W * stride >= rounds: a slice's first round comes after the last round of slice j - W.
        stride = Math.ceilDiv(call.plan().rounds(), settings.piecesInFlight());
    }

    private void prepare() {
        failure = null;
        nextSlice = 0;
        // A plan without steps is over whatever its slices.
        slicesLeft = plan().stepCount() == 0 ? 0 : binding.slices();
        pendingSends = 0;
        isActive = true;
    }

    CollectiveCall call() {
        return call;
    }

    Plan plan() {
        return binding.plan();
    }

    long sequence() {
        return call.sequence();
    }

    /** For a step that combines several, and its own for that long. */
    Operands operands() {
        return operands;
    }

    Binding binding() {
        return binding;
    }

    ExecutionListener listener() {
        return listener;
    }

    /** What this rank has called, for people. */
    CallDescription describe() {
        return CallWords.of(call, callSite());
    }

    /** What this rank has called, for another rank to compare. */
    CallNote note(int peer) {
        return new CallNote(
                CallNote.State.IN_CALL,
                CallNote.Purpose.ANSWER,
                call.sequence(),
                fingerprint(peer),
                0,
                CallWords.of(call, callSite()).inParts(CallParts.of(call, peer)));
    }

    private @Nullable String callSite() {
        return call.callSite() == null ? listener.callSite() : call.callSite();
    }

    /** What pieces from and to this rank must show. */
    long fingerprint(int peer) {
        return Fingerprint.withPeer(fingerprint, call, peer);
    }

    /** What all ranks must agree on. */
    long fingerprint() {
        return fingerprint;
    }

    long stride() {
        return stride;
    }

    @Nullable RuntimeException failure() {
        return failure;
    }

    boolean isActive() {
        return isActive;
    }

    /** The first slice that has not begun. */
    long nextSlice() {
        return nextSlice;
    }

    boolean isComplete() {
        return slicesLeft == 0;
    }

    /** Begins the next slice, if there is one and the window has room for it. */
    boolean startSlice(StepQueue ready) {
        int window = window(nextSlice);
        SliceRun run = runs[window];
        if (isComplete() || nextSlice == binding.slices() || (run != null && run.isActive())) {
            return false;
        }
        if (run == null) {
            run = new SliceRun(this);
            runs[window] = run;
        }
        run.start(nextSlice++, ready);
        return true;
    }

    void endSlice() {
        slicesLeft--;
    }

    /** The run of this slice; null if it has not begun or is over. */
    @Nullable SliceRun run(long slice) {
        SliceRun run = runs[window(slice)];
        return run != null && run.isActive() && run.slice() == slice ? run : null;
    }

    /** A division only where there are many. */
    private int window(long slice) {
        return (int) (slice < runs.length ? slice : slice % runs.length);
    }

    /** The run in one of the {@link #windows} places; null if none is active there. */
    @Nullable SliceRun runAt(int window) {
        SliceRun run = runs[window];
        return run != null && run.isActive() ? run : null;
    }

    int windows() {
        return runs.length;
    }

    void addPendingSend() {
        pendingSends++;
    }

    void removePendingSend() {
        pendingSends--;
    }

    /** Whether a transport still reads memory of this call. */
    boolean hasPendingSends() {
        return pendingSends > 0;
    }

    /** Ends the call; its slices stay as they are, and nothing looks at them again. */
    void end(@Nullable RuntimeException cause) {
        isActive = false;
        failure = cause;
    }

    /**
     * Readies this for the same call once more; its memory stays bound. Returns what rested there.
     */
    @Nullable Execution rest() {
        listener = NOBODY;
        return boundTo == null ? this : boundTo.resting.put(this);
    }

    /** Lets go of the caller's memory and readies this for another call. */
    void unbind() {
        listener = NOBODY;
        boundTo = null;
        call.forgetMemory();
        binding.unbind();
        for (SliceRun run : runs) {
            if (run != null) {
                run.stop();
            }
        }
    }
}
