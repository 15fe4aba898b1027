package io.nexar.house.planted.serial;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

/** Decodes with Java serialization. */
final class ReadsObjects {
    Object read(InputStream bytes) throws IOException, ClassNotFoundException {
        return new ObjectInputStream(bytes).readObject();
    }
}
