const hostOf = (url: string): string => new URL(url).host

/** Strangers' HTML stays away from where people sign in; pictures are shown by pages and by clients of the API. */
export const isAtHome = (url: string, readerOrigin: string, publicOrigin: string): boolean => {
  const { host, pathname } = new URL(url)
  if (pathname.startsWith("/media/")) return host === hostOf(readerOrigin) || host === hostOf(publicOrigin)
  return host === hostOf(/^\/(?:@|%40)/.test(pathname) ? readerOrigin : publicOrigin)
}
