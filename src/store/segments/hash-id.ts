/** A 16-bit hash of an id, ignoring case as filters do. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}
