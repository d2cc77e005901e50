// The words of attachments come with their code.
import { later } from "./catalogue";
import { attachment } from "./en/attachment";

export const attachmentWords = later("attachment", attachment);
