import sys, time, numpy as np, torch, torch.nn as nn, torch.nn.functional as F
N=36; dev='cuda'
rec=np.dtype([('b','u1',5),('w','u1',5),('y','u1'),('lw','u1'),('cb','<i2'),('cw','<i2')])
def load(names): return np.concatenate([np.fromfile(f'train/data/{n}.bin',rec) for n in names])
def feats(r):
    bits=lambda a: np.unpackbits(a,axis=1,bitorder='little')[:,:N]
    b=torch.tensor(bits(r['b']),device=dev).float(); w=torch.tensor(bits(r['w']),device=dev).float()
    s=b*w; b=b-s; w=w-s
    empt=N-b.sum(1)-w.sum(1)-s.sum(1); mover=empt%2
    lb=torch.tensor(r['cb'].astype(np.float32)/2000,device=dev); lw=torch.tensor(r['cw'].astype(np.float32)/2000,device=dev)
    x=torch.cat([b,w,s],1); g=torch.stack([mover,empt/36,lb,lw,lb-lw],1)
    return (x,g,torch.tensor(r['y'].astype(np.float32),device=dev),torch.tensor(r['lw'].astype(np.float32)/8,device=dev))
def rot(x): 
    return x.view(-1,3,N).flip(2).reshape(-1,3*N)
class MLP(nn.Module):
    def __init__(s,h1,h2,ng):
        super().__init__(); s.ng=ng
        s.l1=nn.Linear(3*N+ng,h1); s.l2=nn.Linear(h1,h2); s.l3=nn.Linear(h2,3)
    def forward(s,x,g):
        g=g[:,:s.ng]
        h=torch.relu(s.l1(torch.cat([x,g],1))); h=torch.relu(s.l2(h)); return s.l3(h)
class CNN(nn.Module):
    def __init__(s,c,d,ng):
        super().__init__(); s.ng=ng
        m=torch.ones(3,3); m[0,0]=0; m[2,2]=0; s.register_buffer('m',m)
        s.convs=nn.ModuleList([nn.Conv2d(3+2 if i==0 else c,c,3,padding=1) for i in range(d)])
        s.o1=nn.Linear(c*36+ng,64); s.o2=nn.Linear(64,3)
    def forward(s,x,g):
        h=x.view(-1,3,6,6); B=h.shape[0]
        e=torch.zeros(B,2,6,6,device=x.device); e[:,0,0]=1; e[:,0,5]=-1; e[:,1,:,0]=1; e[:,1,:,5]=-1
        h=torch.cat([h,e],1)
        for i,c in enumerate(s.convs):
            y=torch.relu(F.conv2d(h,c.weight*s.m,c.bias,padding=1)); h=y if i==0 else h+y
        return s.o2(torch.relu(s.o1(torch.cat([h.flatten(1),g[:,:s.ng]],1))))
class Pattern(nn.Module):
    # a function of each cell's neighbourhood (tabulated at inference), then dense
    def __init__(s,c,h,ng,w=64):
        super().__init__(); s.ng=ng
        m=torch.ones(3,3); m[0,0]=0; m[2,2]=0; s.register_buffer('m',m)
        s.c1=nn.Conv2d(5,w,3,padding=0); s.c2=nn.Conv2d(w,c,1)
        s.o1=nn.Linear(c*36+ng,h); s.o2=nn.Linear(h,32); s.o3=nn.Linear(32,3)
    def forward(s,x,g):
        h=x.view(-1,3,6,6); B=h.shape[0]
        p=torch.zeros(B,5,8,8,device=x.device); p[:,:3,1:7,1:7]=h; p[:,3,0]=1; p[:,3,7]=1; p[:,4,:,0]=1; p[:,4,:,7]=1
        y=torch.relu(F.conv2d(p,s.c1.weight*s.m,s.c1.bias)); y=torch.relu(s.c2(y))
        h=torch.relu(s.o1(torch.cat([y.flatten(1),g[:,:s.ng]],1))); return s.o3(torch.relu(s.o2(h)))
def loss_of(o,y,lw,wt):
    bce=(F.binary_cross_entropy_with_logits(o[:,0],y,reduction='none')*wt).mean()
    pw=torch.where(y>0,o[:,1],o[:,2]); mse=((pw-lw)**2*wt).mean()
    return bce+0.05*mse,bce,mse
def evaluate(m,D):
    with torch.no_grad():
        x,g,y,lw=D; o=torch.cat([m(x[i:i+65536],g[i:i+65536]) for i in range(0,len(x),65536)])
        res=[]
        for sel in (lw>=0,lw>=1,lw>=5):
            oo=o[sel]; yy=y[sel]; l=lw[sel]
            bce=F.binary_cross_entropy_with_logits(oo[:,0],yy).item(); acc=((oo[:,0]>0)==(yy>0)).float().mean().item()
            pw=torch.where(yy>0,oo[:,1],oo[:,2]); r2=1-((pw-l)**2).mean()/l.var()
            res.append(f'bce {bce:.3f} acc {acc:.3f} r2 {r2.item():.2f}')
        return ' | '.join(res)
def train(m,D,V,secs,bs=4096,lr=2e-3):
    x,g,y,lw=D; wt=1+lw.clamp(max=12)*0.5; wt=wt/wt.mean(); m=m.to(dev); opt=torch.optim.AdamW(m.parameters(),lr=lr,weight_decay=1e-3)
    t0=time.time(); step=0; n=len(x)
    while True:
        f=(time.time()-t0)/secs
        if f>=1: break
        for gp in opt.param_groups: gp['lr']=lr*(1-f)
        i=torch.randint(0,n,(bs,),device=dev); xx=x[i]
        if step%2: xx=rot(xx)
        l,b,ms=loss_of(m(xx,g[i]),y[i],lw[i],wt[i]); opt.zero_grad(); l.backward(); opt.step(); step+=1
    print(type(m).__name__, sum(p.numel() for p in m.parameters()),'steps',step,'\n  train',evaluate(m,D),'\n  val  ',evaluate(m,V),flush=True)
    return m
if __name__=='__main__':
    D=feats(load(['random'])); VS={n:feats(load([n])) for n in ['e1','d2','b3','d3']}
    V=feats(load(list(VS)))
    print(len(D[0]),'base rate',D[2].mean().item(),{n:VS[n][2].mean().item() for n in VS})
    import os
    for name,mk,S in [('mlp256',lambda:MLP(256,32,2),110),('mlp512',lambda:MLP(512,32,2),110)]:
        torch.manual_seed(1); print(name); m=train(mk(),D,V,S,bs=16384,lr=4e-3)
        for n in VS: print('  ',n,evaluate(m,VS[n]))
        with open(os.environ['OUT']+'/'+name+'.f32','wb') as f:
            for l in (m.l1,m.l2,m.l3):
                f.write(l.weight.detach().t().contiguous().cpu().numpy().astype('<f4').tobytes()); f.write(l.bias.detach().cpu().numpy().astype('<f4').tobytes())
