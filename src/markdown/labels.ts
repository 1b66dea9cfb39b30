// The labels that this service adds to a post's HTML, in the language of the post.

export const ALERT_KINDS = ["note", "tip", "important", "warning", "caution"] as const

/** `back` labels the link from a footnote to its reference. The others are titles. */
const NAMES = ["footnotes", "back", ...ALERT_KINDS] as const

export type AddedLabels = Record<(typeof NAMES)[number], string>

const read = (list: string): AddedLabels =>
  Object.fromEntries(list.split("|").map((label, i) => [NAMES[i], label])) as AddedLabels

const ENGLISH = read("Footnotes|Back to text|Note|Tip|Important|Warning|Caution")

const NORWEGIAN = read("Fotnoter|Tilbake til teksten|Merk|Tips|Viktig|Advarsel|Forsiktig")

const BY_LANGUAGE: Record<string, AddedLabels> = {
  ar: read("الحواشي|العودة إلى النص|ملاحظة|نصيحة|مهم|تحذير|تنبيه"),
  cs: read("Poznámky pod čarou|Zpět do textu|Poznámka|Tip|Důležité|Varování|Pozor"),
  da: read("Fodnoter|Tilbage til teksten|Bemærk|Tip|Vigtigt|Advarsel|Forsigtig"),
  de: read("Fußnoten|Zurück zum Text|Hinweis|Tipp|Wichtig|Warnung|Vorsicht"),
  en: ENGLISH,
  es: read("Notas al pie|Volver al texto|Nota|Consejo|Importante|Advertencia|Precaución"),
  fi: read("Alaviitteet|Takaisin tekstiin|Huomautus|Vinkki|Tärkeää|Varoitus|Huomio"),
  fr: read("Notes de bas de page|Retour au texte|Note|Astuce|Important|Avertissement|Attention"),
  he: read("הערות שוליים|חזרה לטקסט|הערה|טיפ|חשוב|אזהרה|זהירות"),
  hi: read("फ़ुटनोट|पाठ पर वापस|नोट|सुझाव|महत्वपूर्ण|चेतावनी|सावधान"),
  id: read("Catatan kaki|Kembali ke teks|Catatan|Tips|Penting|Peringatan|Awas"),
  it: read("Note a piè di pagina|Torna al testo|Nota|Suggerimento|Importante|Avviso|Attenzione"),
  ja: read("脚注|本文に戻る|注記|ヒント|重要|警告|注意"),
  ko: read("각주|본문으로 돌아가기|참고|팁|중요|경고|주의"),
  nl: read("Voetnoten|Terug naar de tekst|Opmerking|Tip|Belangrijk|Waarschuwing|Let op"),
  nb: NORWEGIAN,
  nn: NORWEGIAN,
  no: NORWEGIAN,
  pl: read("Przypisy|Powrót do tekstu|Uwaga|Wskazówka|Ważne|Ostrzeżenie|Przestroga"),
  pt: read("Notas de rodapé|Voltar ao texto|Nota|Dica|Importante|Aviso|Cuidado"),
  ru: read("Сноски|Вернуться к тексту|Примечание|Совет|Важно|Предупреждение|Осторожно"),
  sv: read("Fotnoter|Tillbaka till texten|Obs|Tips|Viktigt|Varning|Försiktigt"),
  tr: read("Dipnotlar|Metne dön|Not|İpucu|Önemli|Uyarı|Dikkat"),
  uk: read("Виноски|Повернутися до тексту|Примітка|Порада|Важливо|Попередження|Обережно"),
  vi: read("Chú thích|Quay lại văn bản|Ghi chú|Mẹo|Quan trọng|Cảnh báo|Thận trọng"),
  zh: read("脚注|返回正文|注意|提示|重要|警告|小心"),
  "zh-Hant": read("註腳|返回正文|注意|提示|重要|警告|小心"),
}

/** Returns the labels that this service adds to posts, such as alert titles, by BCP 47 code; in English if there is no translation. */
export const labelsFor = (code: string): AddedLabels => {
  const { language, script } = new Intl.Locale(code).maximize()
  return BY_LANGUAGE[`${language}-${script}`] ?? BY_LANGUAGE[language] ?? ENGLISH
}
