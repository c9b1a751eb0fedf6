-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "role" TEXT NOT NULL,
    "workspaceAccess" JSONB NOT NULL,
    "keyPrefix" TEXT NOT NULL,
    "keyDigest" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "expiresAt" DATETIME,
    "lastUsedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "DagRun" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "dagName" TEXT NOT NULL,
    "dagRunId" TEXT NOT NULL,
    "fileName" TEXT,
    "status" TEXT NOT NULL,
    "params" TEXT NOT NULL,
    "paramsResolved" JSONB NOT NULL,
    "specText" TEXT NOT NULL,
    "specHash" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "workspace" TEXT,
    "triggerType" TEXT NOT NULL,
    "queuedAt" DATETIME,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "scheduleTime" DATETIME,
    "logFile" TEXT NOT NULL,
    "workDir" TEXT NOT NULL,
    "error" TEXT,
    "ownerId" TEXT,
    "rowVersion" INTEGER NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "DagRunStep" (
    "runId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "exitCode" INTEGER,
    "error" TEXT,
    "stdoutFile" TEXT NOT NULL,
    "stderrFile" TEXT NOT NULL,
    "retryCount" INTEGER NOT NULL DEFAULT 0,
    "doneCount" INTEGER NOT NULL DEFAULT 0,
    "pid" INTEGER,
    "processStartedAt" TEXT,

    PRIMARY KEY ("runId", "position"),
    CONSTRAINT "DagRunStep_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Runner" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "heartbeatAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "DagFlag" (
    "fileName" TEXT NOT NULL PRIMARY KEY,
    "suspended" BOOLEAN NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "DagHead" (
    "dagName" TEXT NOT NULL PRIMARY KEY,
    "latestRunId" TEXT NOT NULL,
    CONSTRAINT "DagHead_latestRunId_fkey" FOREIGN KEY ("latestRunId") REFERENCES "DagRun" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "usernameKey" TEXT NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "workspaceAccess" JSONB NOT NULL,
    "isDisabled" BOOLEAN NOT NULL DEFAULT false,
    "tokenVersion" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_name_key" ON "ApiKey"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_key_digest_key" ON "ApiKey"("keyDigest");

-- CreateIndex
CREATE INDEX "dag_run_status_idx" ON "DagRun"("status", "createdAt", "dagName", "id");

-- CreateIndex
CREATE INDEX "dag_run_dag_name_status_idx" ON "DagRun"("dagName", "status");

-- CreateIndex
CREATE INDEX "dag_run_workspace_newest_idx" ON "DagRun"("workspace", "createdAt", "dagName", "id");

-- CreateIndex
CREATE INDEX "dag_run_workspace_status_idx" ON "DagRun"("workspace", "status", "createdAt", "dagName", "id");

-- CreateIndex
CREATE INDEX "dag_run_newest_idx" ON "DagRun"("createdAt", "dagName", "id");

-- CreateIndex
CREATE INDEX "dag_run_dag_name_newest_idx" ON "DagRun"("dagName", "createdAt", "id");

-- CreateIndex
CREATE INDEX "dag_run_owner_id_idx" ON "DagRun"("ownerId");

-- CreateIndex
CREATE UNIQUE INDEX "dag_run_dag_name_dag_run_id_key" ON "DagRun"("dagName", "dagRunId");

-- CreateIndex
CREATE UNIQUE INDEX "dag_run_step_run_id_name_key" ON "DagRunStep"("runId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "dag_head_latest_run_id_key" ON "DagHead"("latestRunId");

-- CreateIndex
CREATE UNIQUE INDEX "user_username_key" ON "User"("username");

-- CreateIndex
CREATE INDEX "user_username_key_idx" ON "User"("usernameKey", "id");
