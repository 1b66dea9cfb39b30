import type { AddressCases } from "../addresses.unit.test.ts"

/** Addresses that Jekyll 4.3.1 gave. */
export const addresses: AddressCases = {
  fronts: {
    "_posts/2021-01-01-week2.md": 'title: "W"',
    "_posts/2024-01-02-a.md": 'title: "A"',
    "_posts/2024-03-05--lead-.md": 'title: "T7"',
    "_posts/2024-03-05-My First Post!.md": 'title: "T0"',
    "_posts/2024-03-05-a_b~c@d.md": 'title: "T4"',
    "_posts/2024-03-05-c#-&-c++.md": 'title: "T1"',
    "_posts/2024-03-05-html.html": 'title: "T9"',
    "_posts/2024-03-05-v1.2.md": 'title: "T2"',
    "_posts/2024-03-05-what's new, (really).md": 'title: "T5"',
    "_posts/2024-03-05-Über-uns.md": 'title: "T3"',
    "_posts/2024-03-05-你好 世界.md": 'title: "T6"',
    "_posts/2024-03-06-cat.md": 'title: "C"\ncategory: Web Dev',
    "_posts/2024-03-06-cats.md": 'title: "C"\ncategories: One two\ncategory: Three Four',
    "_posts/2024-03-06-list.md": 'title: "C"\ncategories: [Über Uns, C#, one]',
    "_posts/2024-03-09-own.md": 'title: "O"\npermalink: /x/:title/',
    "_posts/2024-03-09-own2.md": 'title: "O"\npermalink: pretty',
    "_posts/2024-03-09-own3.md": 'title: "O"\npermalink: /a b/:year/:slug.html\nslug: The Slug',
    "_posts/2024-03-09-slugged.md": 'title: "O"\nslug: My.Slug X',
    "_posts/2024-03-10-dated.md": 'title: "O"\ndate: 2024-03-11 23:30:00 -0500',
    "_posts/2024-12-30-week.md": 'title: "W"\ndate: 2024-12-30 23:59:00',
    "_posts/2024-3-5-short.md": 'title: "T8"',
    "_posts/2024/2024-03-08-y.md": 'title: "Y"',
    "blog/_posts/2024-03-07-b.md": 'title: "B"',
    "cols/_notes/2024-05-05-dated.md": 'title: "N"',
    "cols/_notes/My Note.md": 'title: "N"',
    "cols/_posts/2024-01-02-a.md": 'title: "A"',
    "cols/_posts/2024-01-02-b.md": 'title: "A"\npermalink: /:categories/b/',
    "cols/_recipes/sub/Tart.md": 'title: "T"',
    "travel/_posts/sub/2024-03-07-deep2.md": 'title: "D"\ncategories: travel x',
    "travel/asia/_posts/2024-03-07-deep.md": 'title: "D"\ncategory: food',
  },
  usual: 'title: "AP"',
  cases: [
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: date\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2021-01-01-week2.md": "/2021/01/01/week2.html",
        "_posts/2024-03-05--lead-.md": "/2024/03/05/lead.html",
        "_posts/2024-03-05-My First Post!.md": "/2024/03/05/My-First-Post!.html",
        "_posts/2024-03-05-a_b~c@d.md": "/2024/03/05/a_b~c@d.html",
        "_posts/2024-03-05-c#-&-c++.md": "/2024/03/05/c-&-c++.html",
        "_posts/2024-03-05-html.html": "/2024/03/05/html.html",
        "_posts/2024-03-05-v1.2.md": "/2024/03/05/v1.2.html",
        "_posts/2024-03-05-what's new, (really).md": "/2024/03/05/what's-new,-(really).html",
        "_posts/2024-03-05-Über-uns.md": "/2024/03/05/Über-uns.html",
        "_posts/2024-03-05-你好 世界.md": "/2024/03/05/你好-世界.html",
        "_posts/2024-03-06-cat.md": "/web dev/2024/03/06/cat.html",
        "_posts/2024-03-06-cats.md": "/one/two/three four/2024/03/06/cats.html",
        "_posts/2024-03-06-list.md": "/über uns/c%23/one/2024/03/06/list.html",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-09-own2.md": "/pretty",
        "_posts/2024-03-09-own3.md": "/a b/2024/the-slug.html",
        "_posts/2024-03-09-slugged.md": "/2024/03/09/My.Slug-X.html",
        "_posts/2024-03-10-dated.md": "/2024/03/12/dated.html",
        "_posts/2024-12-30-week.md": "/2024/12/31/week.html",
        "_posts/2024-3-5-short.md": "/2024/03/05/short.html",
        "_posts/2024/2024-03-08-y.md": "/2024/03/08/y.html",
        "blog/_posts/2024-03-07-b.md": "/blog/2024/03/07/b.html",
        "travel/_posts/sub/2024-03-07-deep2.md": "/travel/x/2024/03/07/deep2.html",
        "travel/asia/_posts/2024-03-07-deep.md": "/travel/asia/food/2024/03/07/deep.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: pretty\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/2024/03/05/My-First-Post!/",
        "_posts/2024-03-06-cat.md": "/web dev/2024/03/06/cat/",
        "_posts/2024-03-06-cats.md": "/one/two/three four/2024/03/06/cats/",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/2024/03/12/dated/",
        "_posts/2024-12-30-week.md": "/2024/12/31/week/",
        "travel/asia/_posts/2024-03-07-deep.md": "/travel/asia/food/2024/03/07/deep/",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: ordinal\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/2024/065/My-First-Post!.html",
        "_posts/2024-03-06-cat.md": "/web dev/2024/066/cat.html",
        "_posts/2024-03-06-cats.md": "/one/two/three four/2024/066/cats.html",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/2024/072/dated.html",
        "_posts/2024-12-30-week.md": "/2024/366/week.html",
        "travel/asia/_posts/2024-03-07-deep.md": "/travel/asia/food/2024/067/deep.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: weekdate\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/2024/W10/Tue/My-First-Post!.html",
        "_posts/2024-03-06-cat.md": "/web dev/2024/W10/Wed/cat.html",
        "_posts/2024-03-06-cats.md": "/one/two/three four/2024/W10/Wed/cats.html",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/2024/W11/Tue/dated.html",
        "_posts/2024-12-30-week.md": "/2024/W01/Tue/week.html",
        "travel/asia/_posts/2024-03-07-deep.md": "/travel/asia/food/2024/W10/Thu/deep.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: none\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/My-First-Post!.html",
        "_posts/2024-03-06-cat.md": "/web dev/cat.html",
        "_posts/2024-03-06-cats.md": "/one/two/three four/cats.html",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/dated.html",
        "_posts/2024-12-30-week.md": "/week.html",
        "travel/asia/_posts/2024-03-07-deep.md": "/travel/asia/food/deep.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: /blog/:categories/:title.html\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/blog/My-First-Post!.html",
        "_posts/2024-03-06-cat.md": "/blog/web dev/cat.html",
        "_posts/2024-03-06-cats.md": "/blog/one/two/three four/cats.html",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/blog/dated.html",
        "_posts/2024-12-30-week.md": "/blog/week.html",
        "travel/asia/_posts/2024-03-07-deep.md": "/blog/travel/asia/food/deep.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: /:slugified_categories/:y_day/:slug/\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/065/my-first-post/",
        "_posts/2024-03-06-cat.md": "/web-dev/066/cat/",
        "_posts/2024-03-06-cats.md": "/one/two/three-four/066/cats/",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/072/dated/",
        "_posts/2024-12-30-week.md": "/366/week/",
        "travel/asia/_posts/2024-03-07-deep.md": "/travel/asia/food/067/deep/",
      },
    },
    {
      config: {
        "_config.yml":
          "url: https://e.org\npermalink: /:short_year/:short_month/:long_month/:i_month/:i_day/:name/\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/24/Mar/March/3/5/2024-03-05-my-first-post/",
        "_posts/2024-03-06-cat.md": "/24/Mar/March/3/6/2024-03-06-cat/",
        "_posts/2024-03-06-cats.md": "/24/Mar/March/3/6/2024-03-06-cats/",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/24/Mar/March/3/12/2024-03-10-dated/",
        "_posts/2024-12-30-week.md": "/24/Dec/December/12/31/2024-12-30-week/",
        "travel/asia/_posts/2024-03-07-deep.md": "/24/Mar/March/3/7/2024-03-07-deep/",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: /:year-:month-:day-:title\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/2024-03-05-My-First-Post!",
        "_posts/2024-03-06-cat.md": "/2024-03-06-cat",
        "_posts/2024-03-06-cats.md": "/2024-03-06-cats",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/2024-03-12-dated",
        "_posts/2024-12-30-week.md": "/2024-12-31-week",
        "travel/asia/_posts/2024-03-07-deep.md": "/2024-03-07-deep",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: /:collection/:path:output_ext\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/posts/2024-03-05-My First Post!.html",
        "_posts/2024-03-06-cat.md": "/posts/2024-03-06-cat.html",
        "_posts/2024-03-06-cats.md": "/posts/2024-03-06-cats.html",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/posts/2024-03-10-dated.html",
        "_posts/2024-12-30-week.md": "/posts/2024-12-30-week.html",
        "travel/asia/_posts/2024-03-07-deep.md": "/posts/travel/asia/2024-03-07-deep.html",
      },
    },
    {
      config: {
        "_config.yml":
          "url: https://e.org\npermalink: /:hour:minute:second/:w_year/:w_day/:long_day/:short_day/:title/\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/000000/2024/2/Tuesday/Tue/My-First-Post!/",
        "_posts/2024-03-06-cat.md": "/000000/2024/3/Wednesday/Wed/cat/",
        "_posts/2024-03-06-cats.md": "/000000/2024/3/Wednesday/Wed/cats/",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/053000/2024/2/Tuesday/Tue/dated/",
        "_posts/2024-12-30-week.md": "/005900/2025/2/Tuesday/Tue/week/",
        "travel/asia/_posts/2024-03-07-deep.md": "/000000/2024/4/Thursday/Thu/deep/",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: /:title\ntimezone: Europe/Berlin\n",
      },
      timezone: "Europe/Berlin",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/My-First-Post!",
        "_posts/2024-03-06-cat.md": "/cat",
        "_posts/2024-03-06-cats.md": "/cats",
        "_posts/2024-03-09-own.md": "/x/own/",
        "_posts/2024-03-10-dated.md": "/dated",
        "_posts/2024-12-30-week.md": "/week",
        "travel/asia/_posts/2024-03-07-deep.md": "/deep",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\nbaseurl: /Base\n",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "_posts/2024-03-05-My First Post!.md": "/Base/2024/03/05/My-First-Post!.html",
        "_posts/2024-03-06-cat.md": "/Base/web dev/2024/03/06/cat.html",
        "_posts/2024-03-06-cats.md": "/Base/one/two/three four/2024/03/06/cats.html",
        "_posts/2024-03-09-own.md": "/Base/x/own/",
        "_posts/2024-03-10-dated.md": "/Base/2024/03/12/dated.html",
        "travel/asia/_posts/2024-03-07-deep.md": "/Base/travel/asia/food/2024/03/07/deep.html",
      },
    },
    {
      config: {
        "_config.yml":
          'url: https://e.org\npermalink: pretty\ncollections:\n  posts:\n    output: true\n    permalink: /p/:title/\n  recipes:\n    output: true\n  notes:\n    output: true\n    permalink: /n/:name/:title/\ncollections_dir: cols\ndefaults:\n  - scope: {path: "", type: posts}\n    values: {category: Def}\n',
      },
      pages: {
        "cols/_notes/2024-05-05-dated.md": "/n/2024-05-05-dated/dated/",
        "cols/_notes/My Note.md": "/n/my-note/My-Note/",
        "cols/_posts/2024-01-02-a.md": "/p/a/",
        "cols/_posts/2024-01-02-b.md": "/def/b/",
        "cols/_recipes/Apple Pie.md": "/recipes/Apple Pie/",
        "cols/_recipes/sub/Tart.md": "/recipes/sub/Tart/",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org\npermalink: /:year/:title\ncollections:\n  recipes:\n    output: true\n",
      },
      pages: {
        "_posts/2024-01-02-a.md": "/2024/a",
        "_recipes/2023-02-03-x.md": "/recipes/2023-02-03-x",
        "_recipes/Apple Pie.md": "/recipes/Apple Pie",
      },
    },
  ],
}
