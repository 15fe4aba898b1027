package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Neighborhood;
import io.nexar.Partition;

import java.util.List;

/**
 * One rank's block of the plate, with a border of one cell all around: what the neighbours have
 * there, or the plate's edge, which stays 0. Cells lie row by row.
 */
final class HeatBlock {

    /** Where a rank's block lies in the plate: its first row and column, and how many of each. */
    record Place(int row, int column, int rows, int columns) {

        static Place of(int side, Neighborhood.Cartesian grid, int rank) {
            int[] at = grid.coordinates(rank);
            Partition rows = new Partition(side, grid.dimensions().get(0));
            Partition columns = new Partition(side, grid.dimensions().get(1));
            return new Place(
                    (int) rows.offset(at[0]),
                    (int) columns.offset(at[1]),
                    (int) rows.count(at[0]),
                    (int) columns.count(at[1]));
        }

        int cells() {
            return rows * columns;
        }
    }

    private final Place place;

    /** From one cell to the one below it. */
    private final int pitch;

    private double[] cells;
    private double[] next;

    private HeatBlock(Place place) {
        this.place = place;
        this.pitch = place.columns() + 2;
        this.cells = new double[(place.rows() + 2) * pitch];
        this.next = cells.clone();
    }

    static HeatBlock of(Heat.Problem problem, Neighborhood.Cartesian grid, int rank) {
        HeatBlock block = new HeatBlock(Place.of(problem.side(), grid, rank));
        Place place = block.place;
        for (int row = 0; row < place.rows(); row++) {
            for (int column = 0; column < place.columns(); column++) {
                block.cells[block.index(row, column)] =
                        problem.first(place.row() + row, place.column() + column);
            }
        }
        return block;
    }

    /**
     * Sends the outermost cells and receives those beyond them. The grid's places are: up, down,
     * left, right. Rows lie in one piece and go as they are; columns are copied.
     */
    void exchangeBorders(Communicator world, Neighborhood.Cartesian grid) {
        DataBuffer left = DataBuffer.of(column(0));
        DataBuffer right = DataBuffer.of(column(place.columns() - 1));
        double[] fromLeft = column(-1);
        double[] fromRight = column(place.columns());
        world.neighborExchange(
                List.of(row(0), row(place.rows() - 1), left, right),
                List.of(
                        row(-1),
                        row(place.rows()),
                        DataBuffer.of(fromLeft),
                        DataBuffer.of(fromRight)),
                grid);
        setColumn(-1, fromLeft);
        setColumn(place.columns(), fromRight);
    }

    void step() {
        for (int row = 0; row < place.rows(); row++) {
            int end = index(row, place.columns());
            for (int i = index(row, 0); i < end; i++) {
                next[i] =
                        Heat.flow(
                                cells[i],
                                cells[i - pitch],
                                cells[i + pitch],
                                cells[i - 1],
                                cells[i + 1]);
            }
        }
        double[] last = cells;
        cells = next;
        next = last;
    }

    /** The cells without the border. */
    double[] inner() {
        double[] inner = new double[place.cells()];
        for (int row = 0; row < place.rows(); row++) {
            System.arraycopy(cells, index(row, 0), inner, row * place.columns(), place.columns());
        }
        return inner;
    }

    private DataBuffer row(int row) {
        return DataBuffer.of(cells, index(row, 0), place.columns());
    }

    private double[] column(int column) {
        double[] copy = new double[place.rows()];
        for (int row = 0; row < copy.length; row++) {
            copy[row] = cells[index(row, column)];
        }
        return copy;
    }

    private void setColumn(int column, double[] values) {
        for (int row = 0; row < values.length; row++) {
            cells[index(row, column)] = values[row];
        }
    }

    /** Of the cell in the block; -1 and the number of rows or columns are the border. */
    private int index(int row, int column) {
        return (row + 1) * pitch + column + 1;
    }
}
