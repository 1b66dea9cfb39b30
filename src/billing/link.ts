/** The address at which an account subscribes: the operator's Payment Link, which tells Stripe whose checkout it is. */
export const subscribeLink = (paymentLink: string, username: string): string => {
  const url = new URL(paymentLink)
  url.searchParams.set("client_reference_id", username)
  return url.href
}
