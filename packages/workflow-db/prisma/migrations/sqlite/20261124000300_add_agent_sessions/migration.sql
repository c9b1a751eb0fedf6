-- CreateTable
CREATE TABLE "AgentSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "dagName" TEXT,
    "modelId" TEXT,
    "soulId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastSequence" INTEGER NOT NULL,
    "totalTokens" INTEGER NOT NULL,
    "totalCost" REAL NOT NULL,
    "partial" TEXT,
    "prompt" TEXT,
    "promptId" TEXT,
    "fence" INTEGER NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" DATETIME
);

-- CreateTable
CREATE TABLE "AgentMessage" (
    "sessionId" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("sessionId", "sequence"),
    CONSTRAINT "AgentMessage_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "AgentSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "agent_session_newest_idx" ON "AgentSession"("ownerId", "updatedAt");
