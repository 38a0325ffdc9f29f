// Starts threads that never end until the virtual machine refuses.
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

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

    // The machine would report the refusal on stdout.
    static void silenceMachine() throws Exception {
        ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmLog",
            new Object[] {new String[] {"disable"}}, new String[] {String[].class.getName()});
    }

    public static void main(String[] arguments) throws Exception {
        silenceMachine();
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
