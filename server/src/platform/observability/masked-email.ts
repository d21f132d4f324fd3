/** `asha@shop.example` as `a***@shop.example`: enough to recognise it, not enough to collect it. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? "***" : `${email.slice(0, 1)}***${email.slice(at)}`;
}
