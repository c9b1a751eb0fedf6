import type { ActionExecutors } from './call/action-executor';
import { archiveCreate, archiveExtract, archiveList } from './archives/archive-actions';
import { artifactList, artifactRead, artifactWrite } from './artifacts/artifact-actions';
import { logWrite, noop } from './basic-actions';
import { chatCompletion } from './chat/chat-completion-action';
import { dockerRun } from './docker-run-action';
import { dataConvert, dataPick } from './data/data-actions';
import { jqFilter } from './data/jq-filter-action';
import { outputsWrite } from './data/outputs-write-action';
import { exec } from './exec-action';
import { fileDelete } from './files/delete-file-action';
import { fileList } from './files/list-files-action';
import { fileMkdir } from './files/make-folder-action';
import { fileRead, fileStat } from './files/read-file-actions';
import { fileCopy, fileMove } from './files/transfer-actions';
import { fileWrite } from './files/write-file-action';
import { gitCommit, gitDiff, gitPush } from './git/git-change-actions';
import { gitCheckout, gitClone } from './git/git-checkout-actions';
import { gitWorktreeAdd, gitWorktreeList, gitWorktreePrune, gitWorktreeRemove } from './git/git-worktree-actions';
import { harnessRun } from './harness/harness-run-action';
import { httpRequest } from './http/http-request-action';
import { jsRun } from './js/js-run-action';
import { kubernetesRun } from './kubernetes/kubernetes-run-action';
import { mailOrganize } from './mail/mail-organize-action';
import { mailSearch } from './mail/mail-search-action';
import { mailSend } from './mail/mail-send-action';
import { redisExecutors } from './redis/redis-actions';
import { s3Delete, s3List } from './s3/s3-object-actions';
import { s3Download, s3Upload } from './s3/s3-transfer-actions';
import { sftpDelete, sftpDownload, sftpList, sftpUpload } from './sftp/sftp-actions';
import { postgresImport } from './sql/postgres-import-action';
import { postgresQuery } from './sql/postgres-query-action';
import { clickhouseQuery } from './sql/clickhouse-query-action';
import { duckdbQuery, sqliteImport, sqliteQuery } from './sql/sqlite-actions';
import { sshRun } from './ssh/ssh-run-action';
import { stateDelete, stateDiff, stateGet, stateList, stateSet } from './state/state-actions';
import { templateRender } from './template/template-render-action';
import {
  xlsxAppend,
  xlsxConvert,
  xlsxInfo,
  xlsxListSheets,
  xlsxRead,
  xlsxSheet,
  xlsxUpdateRows,
  xlsxValidate,
  xlsxWrite,
  xlsxWriteCells,
} from './xlsx/xlsx-actions';
import { waitDuration, waitFile, waitUntil } from './wait/wait-actions';
import { waitHttp } from './wait/wait-http-action';

export const actionExecutors: ActionExecutors = {
  'archive.create': archiveCreate,
  'archive.extract': archiveExtract,
  'archive.list': archiveList,
  'artifact.list': artifactList,
  'artifact.read': artifactRead,
  'artifact.write': artifactWrite,
  'chat.completion': chatCompletion,
  'clickhouse.query': clickhouseQuery,
  'data.convert': dataConvert,
  'data.pick': dataPick,
  'docker.run': dockerRun,
  'duckdb.query': duckdbQuery,
  exec,
  'file.copy': fileCopy,
  'file.delete': fileDelete,
  'file.list': fileList,
  'file.mkdir': fileMkdir,
  'file.move': fileMove,
  'file.read': fileRead,
  'file.stat': fileStat,
  'file.write': fileWrite,
  'git.checkout': gitCheckout,
  'git.clone': gitClone,
  'git.commit': gitCommit,
  'git.diff': gitDiff,
  'git.push': gitPush,
  'git.worktree.add': gitWorktreeAdd,
  'git.worktree.list': gitWorktreeList,
  'git.worktree.prune': gitWorktreePrune,
  'git.worktree.remove': gitWorktreeRemove,
  'harness.run': harnessRun,
  'http.request': httpRequest,
  'jq.filter': jqFilter,
  'js.run': jsRun,
  'kubernetes.run': kubernetesRun,
  'log.write': logWrite,
  'mail.organize': mailOrganize,
  'mail.search': mailSearch,
  'mail.send': mailSend,
  noop,
  'outputs.write': outputsWrite,
  'postgres.import': postgresImport,
  'postgres.query': postgresQuery,
  's3.delete': s3Delete,
  's3.download': s3Download,
  's3.list': s3List,
  's3.upload': s3Upload,
  'sftp.delete': sftpDelete,
  'sftp.download': sftpDownload,
  'sftp.list': sftpList,
  'sftp.upload': sftpUpload,
  'sqlite.import': sqliteImport,
  'sqlite.query': sqliteQuery,
  ...redisExecutors,
  'ssh.run': sshRun,
  'state.delete': stateDelete,
  'state.diff': stateDiff,
  'state.get': stateGet,
  'state.list': stateList,
  'state.set': stateSet,
  'template.render': templateRender,
  'wait.duration': waitDuration,
  'wait.file': waitFile,
  'wait.http': waitHttp,
  'wait.until': waitUntil,
  'xlsx.append': xlsxAppend,
  'xlsx.convert': xlsxConvert,
  'xlsx.info': xlsxInfo,
  'xlsx.list_sheets': xlsxListSheets,
  'xlsx.read': xlsxRead,
  'xlsx.sheet': xlsxSheet,
  'xlsx.update_rows': xlsxUpdateRows,
  'xlsx.validate': xlsxValidate,
  'xlsx.write': xlsxWrite,
  'xlsx.write_cells': xlsxWriteCells,
};
