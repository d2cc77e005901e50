import type { Translation } from "../catalogue";
import { alertRules } from "./alert-rules";
import { alerts } from "./alerts";
import { deferredShell } from "./deferred-shell";
import { attachment } from "./attachment";
import { away } from "./away";
import { backup } from "./backup";
import { servers } from "./servers";
import { columns, wall } from "./columns";
import { commands } from "./commands";
import { common, priority } from "./common";
import { errors } from "./errors";
import { feed } from "./feed";
import { filter } from "./filter";
import { formats } from "./formats";
import { health } from "./health";
import { help } from "./help";
import { host } from "./host";
import { jump } from "./jump";
import { message } from "./message";
import { missing } from "./missing";
import { push } from "./push";
import { raw } from "./raw";
import { rows } from "./rows";
import { settings } from "./settings";
import { shell } from "./shell";
import { state } from "./state";
import { topics } from "./topics";
import { views } from "./views";

/** The Japanese catalogue: in one piece, as it is loaded before anything is shown. */
export const catalogue: Translation = {
  appStrings: { common, priority, feed, shell },
  alertRules,
  alerts,
  deferredShell,
  attachment,
  away,
  backup,
  servers,
  columns,
  commands,
  wall,
  errors,
  filter,
  health,
  help,
  host,
  jump,
  message,
  missing,
  push,
  raw,
  rows,
  settings,
  state,
  topics,
  views,
  formats,
  direction: "ltr",
};
