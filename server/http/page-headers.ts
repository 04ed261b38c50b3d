// Headers of the files that this server has for browsers.

/** Headers against sniffing, framing and foreign code. @param policy the content security policy */
export function pageHeaders(policy: readonly string[]): readonly string[] {
  return [
    ...['Content-Security-Policy', policy.join('; ')],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Referrer-Policy', 'no-referrer'],
    ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ];
}

/** What no page of this server may: be in another one, send forms elsewhere, or change its base. */
export const CLOSED_IN = [
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
] as const;
