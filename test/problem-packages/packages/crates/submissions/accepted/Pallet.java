import java.util.Scanner;

public final class Pallet {
  public static void main(String[] words) {
    int centimetres = 15 + 45 * new Scanner(System.in).nextInt();
    System.out.println(String.format("%d.%02d", centimetres / 100, centimetres % 100));
  }
}
