// When a message repeats another one of its topic (docs/design.md §6, "Repeats").
import { messageText, type MessageEvent } from "../protocol";

/** A message with more characters, title and text together, never counts as a repeat: too much of it may differ. */
const MAX_CHARACTERS = 4_000;

/** Stands for a number, time or id. */
export const MASK = "\0";

const ALNUM = String.raw`\p{L}\p{M}\d`;
const END = `(?![${ALNUM}])`;
const HEX = String.raw`[\da-fA-F]`;
const ZONE = String.raw`(?:Z|[+\-]\d\d:?\d\d)`;
const CLOCK = String.raw`\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:${ZONE}|[aApP][mM])?`;
const DATE = String.raw`\d{4}-\d\d-\d\d(?:T\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?${ZONE}?)?`;
const UUID = `${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`;
const HASH = String.raw`0x${HEX}+|(?=[a-fA-F]*\d)${HEX}{7,}`;
const DURATION = String.raw`(?:\d{1,15}(?:\.\d{1,9})?(?:ms|us|µs|ns|min|sec|[wdhms])){1,6}`;
const UNIT = "(?:[kKMGTP]i?)?[BW]|[kMG]?Hz|kWh|m?[VA]|[kKMGCFx]";
const NUMBER = String.raw`(?:(?<=^|[\s(=:])[+\-])?\d+(?:[.,]\d{1,30})*`;
const IP = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
// Bounded, as a look-ahead from each colon of a long row of them would take quadratic time.
const IPV6 = String.raw`(?=[\da-fA-F:]{0,36}::|(?:${HEX}{1,4}:){7})(?:${HEX}{0,4}:){2,7}(?:${IP}|${HEX}{0,4})`;
const MAC = `${HEX}{2}(?::${HEX}{2}){5}`;

const PIECES = new RegExp(
  `(?<![${ALNUM}])(?:(${IP}|${MAC}|${IPV6})|${UUID}|${DATE}|${CLOCK}|(${DURATION})|${HASH}|(${NUMBER})(${UNIT})?)${END}`,
  "gu",
);

/** How far a name or the word before a status is looked for, characters. */
const LOOK_BACK = 40;
/** A name that the digits belong to: `web-01`, `v1.2`. */
const IN_NAME = /[\p{L}\0][\p{L}\p{M}\d\0_-]{0,40}(?:[-_]|(?<=[\d\0])\.)$/u;
/** Before the port in a link, which tells services apart. */
const IN_LINK = /:\/\/[^\s/]+:$/;
/** After such a word, in the languages of the app, a number says what happened, not how much. */
const AFTER_STATUS =
  /(?:status|code|http(?:\/[\d.]{1,3})?|error|errno|exit|exited|returns?|returned|signal|response|rc|fehler|erreur|errore|erro|statut|c[oó]digo|codice|estado|エラー|コード|状态码?|代码|错误|خطأ|رمز)[\s：:=#()[\]{}"'`<>*/_+-]{1,5}(?:(?:is|was|of|with|by|ist|war|mit|von)\s)?$/iu;
/** After what was asked of a server, a number is the status of the answer. */
const AFTER_REQUEST = /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE)\s\S{1,30}\s$/;
/** After such a word, in the languages of the app, a whole number says which one, not how much. */
const AFTER_THING =
  /(?<![\p{L}\p{M}])(?:disk|drive|hdd|ssd|volume|pool|port|channel|camera|cam|sensor|door|gate|window|room|floor|zone|node|slot|bay|rack|shard|replica|worker|pump|(?:fest)?platte|laufwerk|kanal|kamera|tür|tor|fenster|raum|zimmer|knoten|steckplatz|pumpe|disque|canal|caméra|capteur|porte|fenêtre|pièce|étage|nœud|pompe|disco|c[aá]mara|câmera|telecamera|sensore?|puerta|puerto|porta|ventana|finestra|janela|habitaci[oó]n|sala|stanza|quarto|piso|piano|zona|nodo|nó|bomba|pompa|ディスク|カメラ|ポート|センサー|ドア|磁盘|硬盘|端口|传感器|摄像头|قرص|كاميرا|منفذ|باب|غرفة)\s#?$/iu;
/** A port of five digits is mostly one that a connection came from, which is another one each time. */
const WHICH = /^\d{1,4}$/;
/** Makes an amount of the number before it. */
const AMOUNT_AFTER = /^\s?[%°]/;
const STATUS = /^[+-]?(?:0x[\da-f]+|\d+(?:\.\d+)?)$/i;

/**
 * The text with each number, time and id masked, except zero, a status, ports of links, and what says which thing is meant.
 * Takes linear time.
 */
export function maskText(text: string): string {
  return text.replace(
    PIECES,
    (piece: string, machine?: string, length?: string, number?: string, unit = "", at = 0) => {
      if (machine !== undefined) return piece;
      const before = text.slice(Math.max(0, at - LOOK_BACK), at);
      const isAmount = (length ?? number) !== undefined;
      const isNamed = IN_NAME.test(before) || IN_LINK.test(before);
      const isStatus = STATUS.test(piece) && (AFTER_STATUS.test(before) || AFTER_REQUEST.test(before));
      const isWhich =
        WHICH.test(piece) &&
        AFTER_THING.test(before) &&
        !AMOUNT_AFTER.test(text.slice(at + piece.length, at + piece.length + 2));
      return (isAmount && (!/[1-9]/.test(piece) || isNamed)) || isStatus || isWhich ? piece : MASK + unit;
    },
  );
}

/** Title and text, masked; undefined if the message never counts as a repeat. */
export function maskedTexts(event: MessageEvent): [title: string, text: string] | undefined {
  const { title = "" } = event;
  const content = messageText(event);
  if (content.kind !== "text" || title.length + content.text.length > MAX_CHARACTERS) return undefined;
  return [maskText(title), maskText(content.text)];
}

/**
 * The same for two messages of one topic if one repeats the other: if their titles and texts differ in nothing but numbers, times
 * and ids. Undefined if the message never counts as a repeat.
 */
export function repeatKey(event: MessageEvent): string | undefined {
  const masked = maskedTexts(event);
  return masked && JSON.stringify(masked);
}
