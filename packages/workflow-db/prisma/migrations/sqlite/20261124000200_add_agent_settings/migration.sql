-- CreateTable
CREATE TABLE "AgentModel" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "baseUrl" TEXT,
    "keyId" TEXT,
    "keyText" TEXT,
    "facts" JSONB NOT NULL,
    "description" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "AgentSoul" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "AgentMemory" (
    "dagName" TEXT NOT NULL PRIMARY KEY,
    "content" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "AgentConfig" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "isEnabled" BOOLEAN NOT NULL,
    "defaultModelId" TEXT,
    "selectedSoulId" TEXT,
    "toolPolicy" JSONB NOT NULL,
    "webSearch" JSONB NOT NULL,
    "limits" JSONB NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "AgentLogin" (
    "providerId" TEXT NOT NULL PRIMARY KEY,
    "keyId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "expiresAt" DATETIME,
    "canRefresh" BOOLEAN NOT NULL,
    "accountId" TEXT,
    "connectedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "agent_model_name_key" ON "AgentModel"("name");

-- CreateIndex
CREATE UNIQUE INDEX "agent_soul_name_key" ON "AgentSoul"("name");
