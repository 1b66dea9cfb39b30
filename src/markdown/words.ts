// Words that a post's HTML has of its own, in the language of its text.

/** `back` is of the link from a footnote to where it is called. */
const NAMES = ["footnotes", "back", "note", "tip", "important", "warning", "caution"] as const

export type Words = Record<(typeof NAMES)[number], string>

const words = (list: string): Words => Object.fromEntries(list.split("|").map((word, i) => [NAMES[i], word])) as Words

const ENGLISH = words("Footnotes|Back to text|Note|Tip|Important|Warning|Caution")

const NORWEGIAN = words("Fotnoter|Tilbake til teksten|Merk|Tips|Viktig|Advarsel|Forsiktig")

const BY_LANGUAGE: Record<string, Words> = {
  ar: words("الحواشي|العودة إلى النص|ملاحظة|نصيحة|مهم|تحذير|تنبيه"),
  cs: words("Poznámky pod čarou|Zpět do textu|Poznámka|Tip|Důležité|Varování|Pozor"),
  da: words("Fodnoter|Tilbage til teksten|Bemærk|Tip|Vigtigt|Advarsel|Forsigtig"),
  de: words("Fußnoten|Zurück zum Text|Hinweis|Tipp|Wichtig|Warnung|Vorsicht"),
  en: ENGLISH,
  es: words("Notas al pie|Volver al texto|Nota|Consejo|Importante|Advertencia|Precaución"),
  fi: words("Alaviitteet|Takaisin tekstiin|Huomautus|Vinkki|Tärkeää|Varoitus|Huomio"),
  fr: words("Notes de bas de page|Retour au texte|Note|Astuce|Important|Avertissement|Attention"),
  he: words("הערות שוליים|חזרה לטקסט|הערה|טיפ|חשוב|אזהרה|זהירות"),
  hi: words("फ़ुटनोट|पाठ पर वापस|नोट|सुझाव|महत्वपूर्ण|चेतावनी|सावधान"),
  id: words("Catatan kaki|Kembali ke teks|Catatan|Tips|Penting|Peringatan|Awas"),
  it: words("Note a piè di pagina|Torna al testo|Nota|Suggerimento|Importante|Avviso|Attenzione"),
  ja: words("脚注|本文に戻る|注記|ヒント|重要|警告|注意"),
  ko: words("각주|본문으로 돌아가기|참고|팁|중요|경고|주의"),
  nl: words("Voetnoten|Terug naar de tekst|Opmerking|Tip|Belangrijk|Waarschuwing|Let op"),
  nb: NORWEGIAN,
  nn: NORWEGIAN,
  no: NORWEGIAN,
  pl: words("Przypisy|Powrót do tekstu|Uwaga|Wskazówka|Ważne|Ostrzeżenie|Przestroga"),
  pt: words("Notas de rodapé|Voltar ao texto|Nota|Dica|Importante|Aviso|Cuidado"),
  ru: words("Сноски|Вернуться к тексту|Примечание|Совет|Важно|Предупреждение|Осторожно"),
  sv: words("Fotnoter|Tillbaka till texten|Obs|Tips|Viktigt|Varning|Försiktigt"),
  tr: words("Dipnotlar|Metne dön|Not|İpucu|Önemli|Uyarı|Dikkat"),
  uk: words("Виноски|Повернутися до тексту|Примітка|Порада|Важливо|Попередження|Обережно"),
  vi: words("Chú thích|Quay lại văn bản|Ghi chú|Mẹo|Quan trọng|Cảnh báo|Thận trọng"),
  zh: words("脚注|返回正文|注意|提示|重要|警告|小心"),
  "zh-Hant": words("註腳|返回正文|注意|提示|重要|警告|小心"),
}
/** @param code BCP 47 @returns its words; English ones where there are none of it */
export const wordsOf = (code: string): Words => {
  const { language, script } = new Intl.Locale(code).maximize()
  return BY_LANGUAGE[`${language}-${script}`] ?? BY_LANGUAGE[language] ?? ENGLISH
}
