/** Prints nothing. */
export default () => null
