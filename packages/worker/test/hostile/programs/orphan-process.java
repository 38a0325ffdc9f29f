// Leaves a program that holds stdout.
public class Main {
    public static void main(String[] arguments) throws Exception {
        new ProcessBuilder("setsid", "sleep", "1000000").inheritIO().start();
        System.out.println("done");
    }
}
