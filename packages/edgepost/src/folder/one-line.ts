// Makes a title of one line. Free of Node: the service does the same.

/** Returns a text with one blank for its line breaks and the blanks around them; one without line breaks as it is. */
export const toOneLine = (text: string): string => {
  // Splits `a\r\nb` and `a\u2028b`. Does not split `a\tb`.
  const lines = text.split(/[\n\v\f\r\u0085\u2028\u2029]/u)
  if (lines.length === 1) return text
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")
}
