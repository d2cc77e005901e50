import { nowS } from "./scripted-server";

const WORD = "Donaudampfschifffahrtsgesellschaftskapitän";
const UNBROKEN = "x".repeat(4000);
const ADDRESS = `https://example.org/${"path/".repeat(200)}?q=${"y".repeat(1500)}`;
/** Text with controls that reverse its direction and are never closed. */
const TURNED = "\u202eneddih \u2067txet\u200f";
/** A letter with hundreds of combining marks. */
const PILED = `a${"\u0300\u0316\u0489\u035e".repeat(100)}`;

/** Messages that are hard to show, each under the name by which the tests find it. */
export const AWKWARD: Record<string, object> = {
  unbroken: { message: UNBROKEN, title: UNBROKEN },
  tags: { tags: Array.from({ length: 200 }, (_, at) => `${at % 7 ? "tag" : WORD.repeat(4)}${at}`) },
  emoji: { title: "🎉🚨🏳️‍🌈👩‍👩‍👧‍👦🇩🇪".repeat(30), tags: ["tada", "skull", "warning"] },
  turned: {
    title: TURNED,
    message: `${TURNED} ${TURNED.repeat(60)}`,
    tags: [TURNED],
    click: `https://example.org/${TURNED}`,
  },
  arabic: { title: "فشل النسخ الاحتياطي على atlas", message: "القرص ممتلئ بنسبة 91 % https://example.org/ar ثم 14 GB" },
  control: {
    title: "bell\u0007 back\u0008\u0008 esc\u001b[2J\u0000",
    message: "\u001b[31mred\u001b[0m\r\ttab\u0085\u009b",
  },
  nothing: { title: "\u200b\u200d\u2060", message: "\u200b\ufeff\u2800\u3164 \u00ad", tags: ["\u200b"] },
  piled: { title: PILED, message: PILED.repeat(8) },
  first: { time: 0, message: "from 1970" },
  future: { time: nowS() + 50 * 365 * 86_400, message: "from the future" },
  markdown: {
    message: `# ${UNBROKEN}\n\n${"> ".repeat(60)}deep\n\n${"- ".repeat(60)}list\n\n|${" a |".repeat(60)}\n|${" - |".repeat(60)}\n|${` ${WORD} |`.repeat(60)}\n\n**never [closed](https://example.org/${UNBROKEN}\n\n\`\`\`\n${UNBROKEN}`,
    content_type: "text/markdown",
  },
  // Each ">" nests one level deeper, in the parser too, and each pair of marks could close any other pair.
  deep: { message: ">".repeat(4000), content_type: "text/markdown" },
  marked: { message: "**_a".repeat(5000), content_type: "text/markdown" },
  json: { message: JSON.stringify({ [UNBROKEN]: [[[[[[UNBROKEN]]]]]], b: { c: { d: { e: WORD.repeat(50) } } } }) },
  log: { message: Array.from({ length: 40 }, (_, at) => `12:00:${at} INFO ${"column  ".repeat(40)}`).join("\n") },
  address: { message: `see ${ADDRESS} there`, click: ADDRESS },
  buttons: {
    actions: [
      { id: "1", action: "view", label: UNBROKEN, url: ADDRESS },
      { id: "2", action: "http", label: `${TURNED}${WORD.repeat(5)}`, url: ADDRESS, body: UNBROKEN },
      { id: "3", action: "copy", label: "🎉".repeat(200), value: "x" },
      { id: "4", action: "broadcast", label: "\u200b" },
    ],
  },
  file: {
    attachment: {
      name: `${UNBROKEN}.pdf`,
      url: ADDRESS,
      type: `application/${WORD}`,
      size: 1e15,
      expires: nowS() + 1e9,
    },
  },
  link: { click: `javascript:${UNBROKEN}` },
};
