/** A hash of an id as filters compare it, without regard to case: 16 bits. */
export function hashId(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}
