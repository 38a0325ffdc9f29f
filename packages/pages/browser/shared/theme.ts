/** Changes between light and dark, from what the system prefers at first. */
export function toggleTheme(): void {
  const { style } = document.documentElement
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches
  const isDark = style.colorScheme === '' ? prefersDark : style.colorScheme === 'dark'
  style.colorScheme = isDark ? 'light' : 'dark'
}
