/**
 * Limits the app's code (docs/design.md §3). Sent with the page and every script, as a worker obeys the policy of its
 * own answer. `connect-src` is open because users choose the servers; images and media from other hosts load only on
 * request.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  // Allows, by its hash, the script in the page (`src/ui/inline.ts`); without the hash only that is blocked.
  "script-src 'self' 'sha256-X2UowSHdLx72N8bEwFuFMSwUixPJZ5HT/ZXBa11M4U4='",
  "style-src 'self'",
  "img-src 'self' data: blob: http: https:",
  "media-src 'self' blob: http: https:",
  "connect-src 'self' http: https: ws: wss:",
  "worker-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types svelte-trusted-html dompurify earshot-script-url",
].join("; ");

/**
 * For `server-key.html`, the frame that runs an older server's script to learn its push key. The page itself forbids
 * more before it runs one, and has the first three directives in its markup, for hosts that send no header.
 */
export const KEY_FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'sha256-CujlZfBuUj/kQvhZu3GP20gwFLxnDOecLyBN6cYK3fs=' http: https:",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-scripts",
].join("; ");

/** Anyone can upload files, so a file that is opened as a page may do nothing at all. */
export const ATTACHMENT_POLICY = "default-src 'none'; sandbox";
