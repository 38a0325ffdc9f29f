// Starts threads that never end until the virtual machine refuses.
public class Main {
    static void waitForever() {
        while (true) {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException interrupted) {
                // It goes on waiting.
            }
        }
    }

    public static void main(String[] arguments) {
        int started = 0;
        try {
            for (; started < 1000; started++) {
                Thread thread = new Thread(null, Main::waitForever, "waiting", 65536);
                thread.setDaemon(true);
                thread.start();
            }
        } catch (Throwable refused) {
            // The limit holds.
        }
        if (started == 1000) System.out.println("GAINED 1000 threads");
        System.out.println("done");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
