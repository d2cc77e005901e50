// The words of attachments come with their code.
export { attachment as attachmentWords } from "./en/attachment";
