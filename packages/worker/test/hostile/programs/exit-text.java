// Claims that memory ran out, in the words of the virtual machine.
public class Main {
    public static void main(String[] arguments) {
        System.out.println("done");
        throw new OutOfMemoryError("Java heap space");
    }
}
