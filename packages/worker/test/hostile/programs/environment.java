// Looks for the judge in the environment, the properties and the folders of the virtual machine.
import java.io.File;
import java.util.Set;

public class Main {
    static final Set<String> KNOWN = Set.of("PATH", "HOME", "TMPDIR", "LANG", "PWD", "HOSTILE_MARK", "_JAVA_OPTIONS");

    public static void main(String[] arguments) {
        for (String name : System.getenv().keySet()) {
            if (!KNOWN.contains(name)) System.out.println("GAINED " + name);
        }
        for (String property : new String[] {"user.home", "user.dir", "java.io.tmpdir"}) {
            if (System.getProperty(property).contains("judge")) System.out.println("GAINED " + property);
        }
        for (String name : new File("/app").list()) {
            if (!name.endsWith(".class") && !name.endsWith(".java")) System.out.println("GAINED /app/" + name);
        }
        System.out.println("done");
    }
}
