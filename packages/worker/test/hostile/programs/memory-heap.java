// Fills the heap of the virtual machine.
import java.util.ArrayList;
import java.util.List;

public class Main {
    public static void main(String[] arguments) {
        List<int[]> all = new ArrayList<>();
        while (true) all.add(new int[100_000]);
    }
}
