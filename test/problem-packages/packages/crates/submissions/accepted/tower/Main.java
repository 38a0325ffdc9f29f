import java.util.Scanner;

public class Main {
  public static void main(String[] words) {
    System.out.println(Stack.describe(new Scanner(System.in).nextInt()));
  }
}
