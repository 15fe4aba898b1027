package io.nexar;

/** The built-in operations; programs name them through the constants of {@link ReduceOp}. */
public enum StandardReduceOp implements ReduceOp {
    SUM(Domain.NUMBERS),
    PROD(Domain.NUMBERS),
    MIN(Domain.NUMBERS),
    MAX(Domain.NUMBERS),
    AVG(Domain.NUMBERS),
    BAND(Domain.INTEGERS),
    BOR(Domain.INTEGERS),
    BXOR(Domain.INTEGERS),
    LAND(Domain.INTEGERS),
    LOR(Domain.INTEGERS),
    LXOR(Domain.INTEGERS),
    MINLOC(Domain.PAIRS),
    MAXLOC(Domain.PAIRS);

    private enum Domain {
        NUMBERS,
        INTEGERS,
        PAIRS
    }

    private final Domain domain;

    StandardReduceOp(Domain domain) {
        this.domain = domain;
    }

    @Override
    public boolean isCommutative() {
        return true;
    }

    @Override
    public int itemWidth() {
        return 1;
    }

    @Override
    public boolean supports(DataType type) {
        return switch (domain) {
            case NUMBERS -> !type.isPair();
            case INTEGERS -> type.isInteger();
            case PAIRS -> type.isPair();
        };
    }

    @Override
    public ReduceOp nonCommutative() {
        throw new IllegalStateException(
                name() + " is built in and commutative; for a fixed order set nexar.deterministic");
    }

    @Override
    public ReduceOp withIdentity(double identity) {
        throw ownIdentity();
    }

    @Override
    public ReduceOp withIdentity(long identity) {
        throw ownIdentity();
    }

    private IllegalStateException ownIdentity() {
        return new IllegalStateException(name() + " is built in and has its own identity");
    }
}
