/* global hexo */

hexo.extend.helper.register("oracle_data", ({ source, permalink, title, date, lang, categories, tags, prev }) =>
  JSON.stringify({
    file: `source/${source}`,
    address: permalink,
    title,
    date: date?.toDate().toISOString(),
    language: lang,
    categories: categories?.map(({ name }) => name),
    tags: tags?.map(({ name }) => name),
    newer: prev?.permalink,
  }).replaceAll("<", "\\u003c"),
)
// Tags of well-known themes.
for (const name of ["note", "hideBlock"])
  hexo.extend.tag.register(name, (_, text) => hexo.render.renderSync({ text, engine: "markdown" }), { ends: true })
hexo.extend.tag.register("hideInline", () => "")
