/** A page whose scripts the test can run. */
export interface Frame {
  /** Returns the value of an expression, or of its promise. */
  evaluate: <T>(expression: string) => Promise<T>
  screenshot: () => Promise<Buffer>
  close: () => Promise<void>
}

/** A browser with the extension. */
export interface Driver {
  name: string
  /** The tab in which the test opens pages. */
  page: Frame
  goto: (url: string) => Promise<void>
  /** Presses the extension's button in the toolbar. */
  openPopup: () => Promise<Frame>
  openOptions: () => Promise<Frame>
  stop: () => Promise<void>
}
