import { byLanguage } from "../language.ts"

// The words of readers' pages, in the language of the page.

const NAMES = ["languages", "older", "newer", "empty", "task", "preview", "topics", "original"] as const

type Words = Record<(typeof NAMES)[number], string>

const read = (list: string): Words => Object.fromEntries(list.split("|").map((word, i) => [NAMES[i], word])) as Words

const ENGLISH = read(
  "Languages|Older|Newer|There are no posts yet.|Task|Preview|Topics|Translated by machine. Original:",
)
const NORWEGIAN = read(
  "Språk|Eldre|Nyere|Det er ingen innlegg ennå.|Oppgave|Forhåndsvisning|Emner|Maskinoversatt. Original:",
)

const BY_LANGUAGE: Record<string, Words> = {
  ar: read("اللغات|الأقدم|الأحدث|لا توجد مقالات بعد.|مهمة|معاينة|المواضيع|ترجمة آلية. الأصل:"),
  cs: read("Jazyky|Starší|Novější|Zatím tu nejsou žádné příspěvky.|Úkol|Náhled|Témata|Strojový překlad. Originál:"),
  da: read("Sprog|Ældre|Nyere|Der er ingen indlæg endnu.|Opgave|Forhåndsvisning|Emner|Maskinoversat. Original:"),
  de: read("Sprachen|Älter|Neuer|Es gibt noch keine Beiträge.|Aufgabe|Vorschau|Themen|Maschinell übersetzt. Original:"),
  en: ENGLISH,
  es: read(
    "Idiomas|Anteriores|Posteriores|Todavía no hay entradas.|Tarea|Vista previa|Temas|Traducción automática. Original:",
  ),
  fi: read("Kielet|Vanhemmat|Uudemmat|Kirjoituksia ei ole vielä.|Tehtävä|Esikatselu|Aiheet|Konekäännös. Alkuperäinen:"),
  fr: read(
    "Langues|Plus anciens|Plus récents|Il n’y a pas encore d’articles.|Tâche|Aperçu|Thèmes|Traduction automatique. Original :",
  ),
  he: read("שפות|ישנים יותר|חדשים יותר|אין עדיין רשומות.|משימה|תצוגה מקדימה|נושאים|תרגום מכונה. מקור:"),
  hi: read("भाषाएँ|पुराने|नए|अभी कोई पोस्ट नहीं है।|कार्य|पूर्वावलोकन|विषय|मशीनी अनुवाद। मूल:"),
  id: read("Bahasa|Lebih lama|Lebih baru|Belum ada tulisan.|Tugas|Pratinjau|Topik|Diterjemahkan oleh mesin. Asli:"),
  it: read(
    "Lingue|Meno recenti|Più recenti|Non ci sono ancora articoli.|Attività|Anteprima|Temi|Traduzione automatica. Originale:",
  ),
  ja: read("言語|古い記事|新しい記事|まだ記事がありません。|タスク|プレビュー|トピック|機械翻訳です。原文："),
  ko: read("언어|이전 글|다음 글|아직 글이 없습니다.|할 일|미리보기|주제|기계 번역입니다. 원문:"),
  nl: read(
    "Talen|Ouder|Nieuwer|Er zijn nog geen berichten.|Taak|Voorbeeldweergave|Onderwerpen|Machinaal vertaald. Origineel:",
  ),
  nb: NORWEGIAN,
  nn: NORWEGIAN,
  no: NORWEGIAN,
  pl: read("Języki|Starsze|Nowsze|Nie ma jeszcze wpisów.|Zadanie|Podgląd|Tematy|Przetłumaczono maszynowo. Oryginał:"),
  pt: read(
    "Idiomas|Mais antigos|Mais recentes|Ainda não há publicações.|Tarefa|Pré-visualização|Temas|Tradução automática. Original:",
  ),
  ru: read("Языки|Старше|Новее|Записей пока нет.|Задача|Предпросмотр|Темы|Машинный перевод. Оригинал:"),
  sv: read("Språk|Äldre|Nyare|Det finns inga inlägg än.|Uppgift|Förhandsvisning|Ämnen|Maskinöversatt. Original:"),
  tr: read("Diller|Daha eski|Daha yeni|Henüz yazı yok.|Görev|Önizleme|Konular|Makine çevirisi. Özgün metin:"),
  uk: read("Мови|Старіші|Новіші|Дописів ще немає.|Завдання|Попередній перегляд|Теми|Машинний переклад. Оригінал:"),
  vi: read("Ngôn ngữ|Cũ hơn|Mới hơn|Chưa có bài viết nào.|Nhiệm vụ|Bản xem trước|Chủ đề|Dịch bằng máy. Bản gốc:"),
  zh: read("语言|较旧|较新|还没有文章。|任务|预览|主题|机器翻译。原文："),
  "zh-Hant": read("語言|較舊|較新|還沒有文章。|任務|預覽|主題|機器翻譯。原文："),
}

/** Returns the words of a page by BCP 47 code; in English if there is no translation. */
export const wordsFor = byLanguage((code): Words => {
  const { language, script } = new Intl.Locale(code).maximize()
  return BY_LANGUAGE[`${language}-${script}`] ?? BY_LANGUAGE[language] ?? ENGLISH
})
