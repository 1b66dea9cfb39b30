import type { AddressCases } from "../addresses.unit.test.ts"

/** Addresses that Hexo 8.1.2 gave. */
export const addresses: AddressCases = {
  fronts: {
    "source/_posts/2024-06-01-dated.md":
      'title: "Title 7: Über & “C#”!"\ndate: 2024-03-08 22:30:00\nabbrlink: 9f3c27\ntags: [Tag]',
    "source/_posts/C# & C++.md":
      'title: "Title 1: Über & “C#”!"\ndate: 2024-03-02 22:30:00\nabbrlink: 9f3c21\ntags: [Tag]',
    "source/_posts/Sub Dir/2024/Deep Post.md":
      'title: "Title 8: Über & “C#”!"\ndate: 2024-03-01 22:30:00\nabbrlink: 9f3c28\ntags: [Tag]',
    "source/_posts/UPPER.md":
      'title: "Title 10: Über & “C#”!"\ndate: 2024-03-03 22:30:00\nabbrlink: 9f3c210\ntags: [Tag]',
    "source/_posts/a_b~c@d.md":
      'title: "Title 4: Über & “C#”!"\ndate: 2024-03-05 22:30:00\nabbrlink: 9f3c24\ntags: [Tag]',
    "source/_posts/bundle One/index.md":
      'title: "Title 9: Über & “C#”!"\ndate: 2024-03-02 22:30:00\nabbrlink: 9f3c29\ntags: [Tag]',
    "source/_posts/cat3.md": 'title: "C"\ndate: 2024-01-01\nabbrlink: 3\ncategories: One Two',
    "source/_posts/cats.md": 'title: "C"\ndate: 2024-01-01\nabbrlink: 1\ncategories: [Web Dev, C++]',
    "source/_posts/cats2.md": 'title: "C"\ndate: 2024-01-01\nabbrlink: 2\ncategories:\n- [A, B]\n- [Über, d]',
    "source/_posts/own2.md": 'title: "O"\ndate: 2024-01-01\npermalink: /my/:title/x.html',
    "source/_posts/own3.md": 'title: "O"\ndate: 2024-01-01\npermalink: own3/',
    "source/_posts/same/same.md":
      'title: "Title 11: Über & “C#”!"\ndate: 2024-03-04 22:30:00\nabbrlink: 9f3c211\ntags: [Tag]',
    "source/_posts/slugged.md": 'title: "S"\ndate: 2024-01-01\nslug: other\nabbrlink: 4',
    "source/_posts/v1.2.md": 'title: "Title 2: Über & “C#”!"\ndate: 2024-03-03 22:30:00\nabbrlink: 9f3c22\ntags: [Tag]',
    "source/_posts/what's new, (really).md":
      'title: "Title 5: Über & “C#”!"\ndate: 2024-03-06 22:30:00\nabbrlink: 9f3c25\ntags: [Tag]',
    "source/_posts/zoned.md": 'title: "Z"\ndate: 2024-01-01T23:30:00Z\nabbrlink: 6\nlang: fr',
    "source/_posts/Über uns.md":
      'title: "Title 3: Über & “C#”!"\ndate: 2024-03-04 22:30:00\nabbrlink: 9f3c23\ntags: [Tag]',
    "source/_posts/你好 世界.md":
      'title: "Title 6: Über & “C#”!"\ndate: 2024-03-07 22:30:00\nabbrlink: 9f3c26\ntags: [Tag]',
    "source/about/index.md": 'title: "About"\ndate: 2024-03-05 22:30:00',
    "source/x page.md": 'title: "X"\ndate: 2024-03-05 22:30:00',
  },
  usual: 'title: "Title 0: Über & “C#”!"\ndate: 2024-03-01 22:30:00\nabbrlink: 9f3c20\ntags: [Tag]',
  cases: [
    {
      config: {
        "_config.yml": "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\n",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/My First Post!.md": "/Base/2024/03/01/My First Post!/",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/2024/03/01/Sub Dir/2024/Deep Post/",
        "source/_posts/bundle One/index.md": "/Base/2024/03/02/bundle One/index/",
        "source/_posts/cats.md": "/Base/2024/01/01/cats/",
        "source/_posts/cats2.md": "/Base/2024/01/01/cats2/",
        "source/_posts/zoned.md": "/Base/2024/01/01/zoned/",
        "source/x page.md": "/Base/x page.html",
      },
    },
    {
      config: {
        "_config.yml":
          "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\npermalink: :year/:month/:day/:title/",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/2024-06-01-dated.md": "/Base/2024/03/08/2024-06-01-dated/",
        "source/_posts/My First Post!.md": "/Base/2024/03/01/My First Post!/",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/2024/03/01/Sub Dir/2024/Deep Post/",
        "source/_posts/UPPER.md": "/Base/2024/03/03/UPPER/",
        "source/_posts/a_b~c@d.md": "/Base/2024/03/05/a_b~c@d/",
        "source/_posts/bundle One/index.md": "/Base/2024/03/02/bundle One/index/",
        "source/_posts/cat3.md": "/Base/2024/01/01/cat3/",
        "source/_posts/cats.md": "/Base/2024/01/01/cats/",
        "source/_posts/cats2.md": "/Base/2024/01/01/cats2/",
        "source/_posts/own2.md": "/Base/my/:title/x.html",
        "source/_posts/own3.md": "/Base/own3/",
        "source/_posts/same/same.md": "/Base/2024/03/04/same/same/",
        "source/_posts/slugged.md": "/Base/2024/01/01/slugged/",
        "source/_posts/v1.2.md": "/Base/2024/03/03/v1.2/",
        "source/_posts/what's new, (really).md": "/Base/2024/03/06/what's new, (really)/",
        "source/_posts/zoned.md": "/Base/2024/01/01/zoned/",
        "source/_posts/Über uns.md": "/Base/2024/03/04/Über uns/",
        "source/_posts/你好 世界.md": "/Base/2024/03/07/你好 世界/",
        "source/about/index.md": "/Base/about/index.html",
        "source/x page.md": "/Base/x page.html",
      },
    },
    {
      config: {
        "_config.yml":
          "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\npermalink: posts/:abbrlink.html",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/C# & C++.md": "/Base/posts/9f3c21.html",
        "source/_posts/My First Post!.md": "/Base/posts/9f3c20.html",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/posts/9f3c28.html",
        "source/_posts/bundle One/index.md": "/Base/posts/9f3c29.html",
        "source/_posts/cats.md": "/Base/posts/1.html",
        "source/_posts/cats2.md": "/Base/posts/2.html",
        "source/_posts/zoned.md": "/Base/posts/6.html",
        "source/x page.md": "/Base/x page.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\npermalink: :name/",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/My First Post!.md": "/Base/My First Post!/",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/Deep Post/",
        "source/_posts/bundle One/index.md": "/Base/index/",
        "source/_posts/cats.md": "/Base/cats/",
        "source/_posts/cats2.md": "/Base/cats2/",
        "source/_posts/zoned.md": "/Base/zoned/",
        "source/x page.md": "/Base/x page.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\npermalink: :post_title.html",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/C# & C++.md": "/Base/title-1-uber-“c-”.html",
        "source/_posts/My First Post!.md": "/Base/title-0-uber-“c-”.html",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/title-8-uber-“c-”.html",
        "source/_posts/bundle One/index.md": "/Base/title-9-uber-“c-”.html",
        "source/_posts/cats2.md": "/Base/c.html",
        "source/_posts/zoned.md": "/Base/z.html",
        "source/x page.md": "/Base/x page.html",
      },
    },
    {
      config: {
        "_config.yml": "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\npermalink: :category/:title/",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/My First Post!.md": "/Base/uncategorized/My First Post!/",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/uncategorized/Sub Dir/2024/Deep Post/",
        "source/_posts/bundle One/index.md": "/Base/uncategorized/bundle One/index/",
        "source/_posts/cats.md": "/Base/Web-Dev/C/cats/",
        "source/_posts/cats2.md": "/Base/Uber/d/cats2/",
        "source/_posts/zoned.md": "/Base/uncategorized/zoned/",
        "source/x page.md": "/Base/x page.html",
      },
    },
    {
      config: {
        "_config.yml":
          "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\npermalink: :lang/:title/\npermalink_defaults:\n  lang: en",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/My First Post!.md": "/Base/en/My First Post!/",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/en/Sub Dir/2024/Deep Post/",
        "source/_posts/bundle One/index.md": "/Base/en/bundle One/index/",
        "source/_posts/cats.md": "/Base/en/cats/",
        "source/_posts/cats2.md": "/Base/en/cats2/",
        "source/_posts/zoned.md": "/Base/fr/zoned/",
        "source/x page.md": "/Base/x page.html",
      },
    },
    {
      config: {
        "_config.yml":
          "url: https://e.org/Base\ntimezone: Asia/Tokyo\ntheme: landscape\npermalink: :title/\npretty_urls: {trailing_index: false, trailing_html: false}\ncategory_map:\n  Web Dev: wd\nnew_post_name: :year-:month-:day-:title.md",
      },
      timezone: "Asia/Tokyo",
      pages: {
        "source/_posts/C# & C++.md": "/Base/C-C/",
        "source/_posts/My First Post!.md": "/Base/My-First-Post/",
        "source/_posts/Sub Dir/2024/Deep Post.md": "/Base/Sub-Dir-2024-Deep-Post/",
        "source/_posts/bundle One/index.md": "/Base/bundle-One-index/",
        "source/_posts/cats.md": "/Base/cats/",
        "source/_posts/cats2.md": "/Base/cats2/",
        "source/_posts/zoned.md": "/Base/zoned/",
        "source/x page.md": "/Base/x page",
      },
    },
  ],
}
