// Uses the CPU in four threads at once.
public class Main {
    public static void main(String[] arguments) {
        for (int i = 0; i < 4; i++) {
            new Thread(() -> {
                while (true) Thread.onSpinWait();
            }).start();
        }
    }
}
