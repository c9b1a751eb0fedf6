-- CreateTable
CREATE TABLE "WorkerToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "labels" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdBy" TEXT NOT NULL,
    "lastUsedAt" DATETIME
);

-- CreateIndex
CREATE UNIQUE INDEX "worker_token_name_key" ON "WorkerToken"("name");

-- CreateIndex
CREATE UNIQUE INDEX "worker_token_token_hash_key" ON "WorkerToken"("tokenHash");
