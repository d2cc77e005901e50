// The words of attachments come with their code.
import { later } from "./catalogue";
import { attachment } from "./en/attachment";

export const attachmentStrings = later("attachment", attachment);
