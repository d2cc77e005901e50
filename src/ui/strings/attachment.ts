// The strings of attachments load with their code.
import { later } from "./catalogue";
import { attachment } from "./en/attachment";

export const attachmentStrings = later("attachment", attachment);
